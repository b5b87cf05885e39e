/** What happened to a rollout that its thread says in a line: pure. A line's name holds all that it says. */
import { z } from 'zod';
import { type Instant, instant } from '../lib/clock.ts';
import { type PersonId, type RequestId, requestId } from '../lib/ids.ts';
import { tryParseJson } from '../lib/json.ts';
import { instantField, personField, type Stored, wholeNumber } from '../lib/record-fields.ts';
import { liftedBy, type Rollout } from './progress.ts';

const incidentSchema = z.discriminatedUnion('kind', [
  /** `wave` counts from 0. */
  z.object({ kind: z.literal('wave-ended'), wave: wholeNumber }),
  z.object({
    kind: z.enum(['braked', 'drifted', 'unproven']),
    wave: wholeNumber,
    bad: wholeNumber,
    ended: wholeNumber,
  }),
  /** The last `sends` calls had no clear answer. */
  z.object({ kind: z.literal('unanswered'), wave: wholeNumber, sends: wholeNumber }),
  /**
   * `by` null: Patchbay, because all changes are paused or it could not go on. `continued-without`: devices of the wave
   * that are offline still have the command.
   */
  z.object({
    kind: z.enum(['paused', 'resumed', 'continued', 'continued-without', 'stopped', 'closed']),
    by: personField.nullable(),
  }),
  /** The approval ended; it was held so long that it ended. */
  z.object({ kind: z.enum(['expired', 'unresumed']) }),
  /** Patchbay was away since then. */
  z.object({ kind: z.literal('away'), from: instantField }),
]);
export type RolloutIncident = Stored<typeof incidentSchema>;

type Progress = Pick<Rollout, 'wave' | 'hold'>;

/**
 * What happened between two states of a rollout, in order: a press lets it go on whose wave had ended. `by`: who pressed;
 * `isWithout`: to let the next wave begin while devices of this one are offline.
 */
export function incidentsBetween(
  before: Progress,
  after: Progress,
  { by = null, isWithout = false }: { readonly by?: PersonId | null; readonly isWithout?: boolean } = {},
): readonly RolloutIncident[] {
  const ended = after.wave > before.wave ? [{ kind: 'wave-ended', wave: before.wave } as const] : [];
  if (isWithout) return [{ kind: 'continued-without', by }];
  if (after.hold === before.hold) return ended;
  return [...ended, ...holdIncident(before, after, by)];
}

/** A gate needs no line of its own beside the wave that ended. */
function holdIncident(
  before: Progress,
  { hold, wave }: Progress,
  by: PersonId | null,
): readonly RolloutIncident[] {
  switch (hold?.kind) {
    case undefined:
      return by === null
        ? []
        : [{ kind: liftedBy(before.hold) === 'continue' ? 'continued' : 'resumed', by }];
    case 'paused':
      return [{ kind: 'paused', by: hold.by }];
    case 'braked':
      return [{ kind: hold.why ?? 'braked', wave, bad: hold.bad, ended: hold.ended }];
    case 'unanswered':
      return [{ kind: 'unanswered', wave, sends: hold.sends }];
    case 'expired':
      return [{ kind: 'expired' }];
    case 'away':
      return [{ kind: 'away', from: hold.from }];
    case 'stopped':
      if (hold.why === 'unresumed') return [{ kind: 'unresumed' }];
      return [{ kind: hold.why === undefined || hold.why === 'rights' ? 'stopped' : hold.why, by: hold.by }];
    case 'gate':
      return [];
  }
}

export type RolloutLine = {
  readonly request: RequestId;
  readonly at: Instant;
  readonly incident: RolloutIncident;
};

/** The name of the line: the same for the same incident. */
export function writeLineId({ request, at, incident }: RolloutLine): string {
  return `${request}.${at}.${JSON.stringify(incident)}`;
}

/** Null: not a name that we wrote. */
export function readLineId(id: string): RolloutLine | null {
  const [, request = '', at = '', incident = ''] = /^([^.]+)\.(\d+)\.(.*)$/s.exec(id) ?? [];
  const read = incidentSchema.safeParse(tryParseJson(incident));
  return read.success ? { request: requestId(request), at: instant(Number(at)), incident: read.data } : null;
}
