/** Entries of a device's command queue (§2.7) as they are sent. */
import {
  type DeviceId,
  type OrganizationId,
  policyId,
  type QueueEntryId,
  queueEntryId,
} from '../../lib/ids.ts';
import { tryParseJson } from '../../lib/json.ts';
import {
  asExitCode,
  asInstant,
  asObject,
  asReference,
  asText,
  idMismatch,
  isObject,
  type RawObject,
  type RowReader,
  rowReader,
} from './rows.ts';

/** Reads the queue of the requested device, or the one requested entry of it. */
export function queueEntryReader(
  organizationId: OrganizationId,
  deviceId: DeviceId,
  entryId?: QueueEntryId,
): RowReader<QueueEntry> {
  return rowReader({
    mismatch: (raw, id) =>
      idMismatch('organization', raw['organization_id'], organizationId) ??
      idMismatch('device', raw['server_id'], deviceId) ??
      idMismatch('entry', id, entryId),
    build: buildQueueEntry,
  });
}

/** One entry of a device's command queue (§2.7). */
export interface QueueEntry extends Readonly<ReturnType<typeof buildQueueEntry>> {}

function buildQueueEntry(raw: RawObject, id: number) {
  return {
    id: queueEntryId(id),
    /** One of the command types of §4.3, another word, or "". */
    type: asText(raw['command_type_name']) ?? '',
    args: asText(raw['args']) ?? '',
    policyId: asReference(raw['policy_id'], policyId),
    /** May lie ahead: a scheduled command. */
    execTime: asInstant(raw['exec_time']),
    /** Null until the device has answered. */
    response: readQueueResponse(raw['response']),
    responseTime: asInstant(raw['response_time']),
  };
}

/** A device's answer to a command, without what the device printed: that may hold secrets. */
export type QueueResponse = {
  /** Signed 32 bit on Windows; null when it was not stated. */
  readonly exitCode: number | null;
};

/** A signed or unsigned 32-bit exit code as text; `1.5` is none. */
const EXIT_CODE = /^\s*([+-]?\d{1,10}|0x[\da-f]{1,8})\s*$/i;
/** Field names in lower case without separators, in order of precedence. */
const EXIT_CODE_FIELDS = ['exitcode', 'returncode', 'rc', 'status', 'code'];
/** JSON text inside JSON text; deeper levels are taken as plain text. */
const MAX_NESTING = 3;

/**
 * A device's answer to a queued command (§2.7, whose type the document does not show). It comes as text, as a list
 * (`["0", "Installing …", null]`: exit code, output, rest), as an object, as JSON text of these, or as a number. Null
 * when there is no answer. Assumption (§2.7): an empty text is an answer, while an empty list, an empty object and a
 * list of nulls say nothing, as elsewhere in this service.
 */
function readQueueResponse(value: unknown, nested = 0): QueueResponse | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return fromList(value, nested);
  if (isObject(value)) return asObject(value) === null ? null : fromObject(value, nested);
  if (typeof value === 'string') return fromText(value, nested);
  return { exitCode: exitCodeOf(value) };
}

function fromText(value: string, nested: number): QueueResponse {
  const inner = nested < MAX_NESTING && /^\s*[[{"]/.test(value) ? tryParseJson(value) : undefined;
  const read = inner === undefined || inner === null ? null : readQueueResponse(inner, nested + 1);
  return read ?? { exitCode: exitCodeOf(value) };
}

function fromList(values: readonly unknown[], nested: number): QueueResponse | null {
  const code = exitCodeOf(values[0]);
  if (code !== null) return { exitCode: code };
  const [only, ...others] = values.filter((value) => value !== null && value !== undefined);
  if (only === undefined) return null;
  const isNested = others.length === 0 && typeof only === 'object' && nested < MAX_NESTING;
  return isNested ? readQueueResponse(only, nested + 1) : { exitCode: null };
}

function fromObject(raw: RawObject, nested: number): QueueResponse {
  const fields = new Map(
    Object.entries(raw).map(([name, value]) => [name.toLowerCase().replaceAll(/[^a-z]/g, ''), value]),
  );
  const codes = EXIT_CODE_FIELDS.map((name) => exitCodeOf(fields.get(name)));
  const code = codes.find((known) => known !== null) ?? null;
  const inner = code === null ? fields.get('response') : undefined;
  if (inner !== null && typeof inner === 'object' && nested < MAX_NESTING) {
    return readQueueResponse(inner, nested + 1) ?? { exitCode: code };
  }
  return { exitCode: code };
}

function exitCodeOf(value: unknown): number | null {
  if (typeof value === 'number') return asExitCode(value);
  return typeof value === 'string' && EXIT_CODE.test(value) ? asExitCode(value) : null;
}
