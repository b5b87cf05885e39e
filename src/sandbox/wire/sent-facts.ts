/** What a write requested, for checks that compare the journal with what people see. Bounded, and without secrets. */
import type { SentFacts, ServiceName } from '../contracts/services.ts';
import { parseJson } from '../parse-json.ts';

/** The service's bodies are a few hundred characters; of a longer one only the length is recorded. */
const MAX_BODY_BYTES = 8_000;
/** Enough to recognize a message. */
const MAX_TEXT = 300;
/** Fields with these names are left out. */
const SECRET_PATTERN = /token|secret|password|api_?key|authorization|response_url/i;

/** Whether this request may change something: any write to the service, and changes of messages in Slack. */
export function isWrite(
  service: ServiceName,
  { method, path }: { readonly method: string; readonly path: string },
): boolean {
  return service === 'management' ? !['GET', 'HEAD'].includes(method) : path.startsWith('/api/chat.');
}

/** The facts in the body of a write. */
export function sentFacts(service: ServiceName, body: string): SentFacts {
  return service === 'management' ? bodyFacts(body) : messageFacts(body);
}

function bodyFacts(body: string): SentFacts {
  if (body === '') return {};
  if (body.length > MAX_BODY_BYTES) return { length: body.length };
  const parsed = parseJson(body);
  return parsed === undefined ? { length: body.length } : { body: withoutSecrets(parsed) };
}

/** Slack accepts forms, with structured values as JSON, and JSON. */
function messageFacts(body: string): SentFacts {
  const parsed = parseJson(body);
  const fields: Readonly<Record<string, unknown>> = isRecord(parsed)
    ? parsed
    : Object.fromEntries(new URLSearchParams(body));
  const metadata =
    typeof fields['metadata'] === 'string' ? parseJson(fields['metadata']) : fields['metadata'];
  const payload = isRecord(metadata) ? metadata['event_payload'] : undefined;
  const facts = [
    ...['channel', 'user', 'ts', 'thread_ts', 'text'].map((name) => [name, fields[name]] as const),
    ...['key', 'state'].map((name) => [name, isRecord(payload) ? payload[name] : undefined] as const),
  ];
  return Object.fromEntries(
    facts.flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value.slice(0, MAX_TEXT)] as const] : [],
    ),
  );
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  const cleaned = Object.entries(value).filter(([name]) => !SECRET_PATTERN.test(name));
  return Object.fromEntries(cleaned.map(([name, inner]) => [name, withoutSecrets(inner)]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
