/**
 * Keeps what was refused: a line in the log and an entry in the audit, so that somebody who tries doors is seen. Both
 * are bounded for each person, because every one of these costs its maker only a press.
 */
import { type Clock, HOUR } from '../../lib/clock.ts';
import { type PersonId, personId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { AuditEntry } from '../../store/port/records.ts';
import type { Store } from '../../store/port/store.ts';
import type { View } from '../../views/model.ts';
import {
  type ForeignOrigin,
  foreignOriginOf,
  type OwnInstallation,
  personOf,
} from '../receiver/payload-origin.ts';
import type { Payload } from '../receiver/request-body.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';

export type AccessRefusals = {
  /** Keeps the answer to `attempt` where that is a refusal for want of a role; gives it as it is. */
  readonly recordRefusal: (person: PersonId, attempt: string, answer: View) => View;
  /** Whether a payload is none of ours; keeps it where it is not. */
  readonly isForeign: (home: OwnInstallation) => (payload: Payload) => boolean;
};

/** Which attempts of one person are kept. */
export function hourlyLimiter(clock: Pick<Clock, 'now'>): RateLimiter {
  return createRateLimiter({ clock, max: MAX_PER_HOUR, everyMs: HOUR });
}

export type RefusalsOptions = {
  readonly audit: Pick<Store['audit'], 'append'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
};

/** Entries of one person in an hour, in each process; the next one says how many were left out. */
const MAX_PER_HOUR = 5;
/** What Slack's ids look like; anything else is no actor of the audit. */
const PERSON_ID = /^[UW][A-Z0-9_]{1,30}$/;
const MAX_ID_LENGTH = 30;

export function createAccessRefusals({ audit, clock, log }: RefusalsOptions): AccessRefusals {
  const bounded = hourlyLimiter(clock);

  const record = (key: string, entry: Omit<AuditEntry, 'at'>): void => {
    const passed = bounded(key);
    if (!passed.pass) return;
    const detail = { ...entry.detail, ...(passed.skipped === 0 ? {} : { skipped: passed.skipped }) };
    log.warn({ event: entry.action, actor: entry.actor, ...detail }, 'access denied');
    audit.append({ ...entry, detail, at: clock.now() }).catch((error: unknown) => {
      log.error({ event: 'access.unaudited', err: error }, 'could not record a denied access in the audit');
    });
  };

  return {
    recordRefusal(person, attempt, answer) {
      if (answer.kind !== 'problem' || answer.problem.kind !== 'not-allowed') return answer;
      const { need, role } = answer.problem;
      const detail: AuditEntry['detail'] = { attempt, need, role };
      record(person, { actor: person, action: 'access.refused', subject: attempt, detail });
      return answer;
    },
    isForeign: (home) => (payload) => {
      const foreign = foreignOriginOf(home, payload);
      if (foreign === null) return false;
      const person = personOf(payload) ?? '';
      const actor = PERSON_ID.test(person) ? personId(person) : 'patchbay';
      record(`${actor} ${foreign.what}`, { actor, action: 'access.foreign', ...foreignEntry(foreign) });
      return true;
    },
  };
}

function foreignEntry({ what, id }: ForeignOrigin) {
  return { subject: id.slice(0, MAX_ID_LENGTH), detail: { origin: what } } satisfies Partial<AuditEntry>;
}
