/**
 * Keeps what was refused: a line in the log and an entry in the audit, so that somebody who tries doors is seen. Both
 * are bounded for each person, because every one of these costs its maker only a press.
 */
import { type Clock, HOUR } from '../clock.ts';
import { type PersonId, personId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { AuditEntry } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { View } from '../views/model.ts';
import { type Bounded, createBounded } from './bounded.ts';
import type { Payload } from './door/body.ts';
import { type Foreign, foreignTo, type Home, personOf } from './door/origin.ts';

export type Refusals = {
  /** Keeps the answer to `attempt` where that is a refusal for want of a role; gives it as it is. */
  readonly noted: (person: PersonId, attempt: string, answer: View) => View;
  /** Whether a payload is none of ours; keeps it where it is not. */
  readonly isForeign: (home: Home) => (payload: Payload) => boolean;
};

/** Which attempts of one person are kept. */
export function boundedPerHour(clock: Pick<Clock, 'now'>): Bounded {
  return createBounded({ clock, most: MOST_IN_AN_HOUR, everyMs: HOUR });
}

export type RefusalsOptions = {
  readonly audit: Pick<Store['audit'], 'append'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
};

/** Entries of one person in an hour, in each process; the next one says how many were left out. */
const MOST_IN_AN_HOUR = 5;
/** What Slack's ids look like; anything else is no actor of the audit. */
const PERSON_ID = /^[UW][A-Z0-9_]{1,30}$/;
const LONGEST_ID = 30;

export function createRefusals({ audit, clock, log }: RefusalsOptions): Refusals {
  const bounded = boundedPerHour(clock);

  const keep = (key: string, entry: Omit<AuditEntry, 'at'>): void => {
    const passed = bounded(key);
    if (!passed.pass) return;
    const detail = { ...entry.detail, ...(passed.skipped === 0 ? {} : { skipped: passed.skipped }) };
    log.warn({ event: entry.action, actor: entry.actor, ...detail }, 'access denied');
    audit.append({ ...entry, detail, at: clock.now() }).catch((error: unknown) => {
      log.error({ event: 'access.unaudited', err: error }, 'could not record a denied access in the audit');
    });
  };

  return {
    noted(person, attempt, answer) {
      if (answer.kind !== 'problem' || answer.problem.kind !== 'not-allowed') return answer;
      const { need, role } = answer.problem;
      const detail: AuditEntry['detail'] = { attempt, need, role };
      keep(person, { actor: person, action: 'access.refused', subject: attempt, detail });
      return answer;
    },
    isForeign: (home) => (payload) => {
      const foreign = foreignTo(home, payload);
      if (foreign === null) return false;
      const person = personOf(payload) ?? '';
      const actor = PERSON_ID.test(person) ? personId(person) : 'patchbay';
      keep(`${actor} ${foreign.what}`, { actor, action: 'access.foreign', ...told(foreign) });
      return true;
    },
  };
}

function told({ what, id }: Foreign) {
  return { subject: id.slice(0, LONGEST_ID), detail: { origin: what } } satisfies Partial<AuditEntry>;
}
