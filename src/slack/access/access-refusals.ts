/**
 * Records refusals in the log and the audit, so that probing is noticed. Both are limited per person: a refusal costs
 * its maker only a press.
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
  /** Records `answer` when it refuses a role, and returns it unchanged. */
  readonly recordRefusal: (person: PersonId, attempt: string, answer: View) => View;
  /** Whether a payload belongs to another app, team or person; records it if so. */
  readonly isForeign: (home: OwnInstallation) => (payload: Payload) => boolean;
};

/** Decides which attempts of one person are recorded. */
export function hourlyLimiter(clock: Pick<Clock, 'now'>): RateLimiter {
  return createRateLimiter({ clock, max: MAX_PER_HOUR, everyMs: HOUR });
}

export type RefusalsOptions = {
  readonly audit: Pick<Store['audit'], 'append'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
};

/** Audit entries per person and hour, in each process; the next entry says how many were left out. */
const MAX_PER_HOUR = 5;
/** Slack's user ids; anything else is not recorded as an actor. */
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
