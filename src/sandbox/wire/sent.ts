/** What a request asked to change, for whoever compares the journal with what people see. Bounded, and without secrets. */
import type { SentFacts, ServiceName } from '../contracts.ts';
import { parseJson } from '../json.ts';

/** Bodies of the service are a few hundred characters; a longer one is recorded by its length alone. */
const LONGEST_BODY = 8_000;
/** Enough to recognize a message by. */
const LONGEST_TEXT = 300;
/** Whatever is called so stays unsaid. */
const SECRET = /token|secret|password|api_?key|authorization|response_url/i;

/** Whether this request may change something: any write to the service, and what is done to messages in Slack. */
export function changesSomething(
  service: ServiceName,
  { method, path }: { readonly method: string; readonly path: string },
): boolean {
  return service === 'management' ? !['GET', 'HEAD'].includes(method) : path.startsWith('/api/chat.');
}

/** The facts in the body of such a request. */
export function sentFacts(service: ServiceName, body: string): SentFacts {
  return service === 'management' ? bodyFacts(body) : messageFacts(body);
}

function bodyFacts(body: string): SentFacts {
  if (body === '') return {};
  if (body.length > LONGEST_BODY) return { length: body.length };
  const parsed = parseJson(body);
  return parsed === undefined ? { length: body.length } : { body: withoutSecrets(parsed) };
}

/** Slack takes forms, in which structured values are JSON, and JSON. */
function messageFacts(body: string): SentFacts {
  const parsed = parseJson(body);
  const given: Readonly<Record<string, unknown>> = isRecord(parsed)
    ? parsed
    : Object.fromEntries(new URLSearchParams(body));
  const metadata = typeof given['metadata'] === 'string' ? parseJson(given['metadata']) : given['metadata'];
  const payload = isRecord(metadata) ? metadata['event_payload'] : undefined;
  const facts = [
    ...['channel', 'user', 'ts', 'thread_ts', 'text'].map((name) => [name, given[name]] as const),
    ...['key', 'state'].map((name) => [name, isRecord(payload) ? payload[name] : undefined] as const),
  ];
  return Object.fromEntries(
    facts.flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value.slice(0, LONGEST_TEXT)] as const] : [],
    ),
  );
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  const shown = Object.entries(value).filter(([name]) => !SECRET.test(name));
  return Object.fromEntries(shown.map(([name, inner]) => [name, withoutSecrets(inner)]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
