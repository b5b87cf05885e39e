/**
 * Looks after ourselves every minute: writes a beat, so that a full disk shows without work, asks Slack who we are
 * where nobody called it, and tells those who run Patchbay of each trouble once. What was told stands in the database,
 * so that neither a restart nor another replica tells it again; it is told by a card, so that Slack's own trouble
 * only delays it.
 */
import { type Clock, type Instant, later, MINUTE, type Timer } from '../clock.ts';
import { cardKey, channelId, newTroubleId, type PersonId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Store, Tables } from '../store/store.ts';
import type { Watch } from '../watch/loop.ts';
import type { Direct } from './direct.ts';
import { type Found, judge, OVER_MS, type Vitals } from './judge.ts';
import type { VitalSigns } from './vitals.ts';

export type Caretaker = {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  /** Gives what tells that nothing is known of before, in the transaction that begins the memory. */
  readonly newDatabase: () => Promise<(tables: Tables, now: Instant) => Promise<void>>;
};

export type CaretakerOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly signs: Pick<VitalSigns, 'slackAnsweredAt' | 'slackIsWell'>;
  readonly vitals: () => Promise<Vitals>;
  readonly watch: Pick<Watch, 'health'>;
  /** Asks Slack anything. */
  readonly askSlack: () => Promise<unknown>;
  /** Those who run Patchbay. */
  readonly admins: () => Promise<readonly PersonId[]>;
  /** For troubles that the database cannot remember. */
  readonly direct: Direct;
  /** Wakes the worker. */
  readonly kick: () => void;
};

const LOOK_MS = MINUTE;
/** A revoked token shows within this, also where nothing is posted. */
const ASK_SLACK_MS = 5 * MINUTE;
/** Well below the time after which the event log counts as unread: a process that starts goes by what is written. */
const BEAT_MS = 2 * MINUTE;

export function createCaretaker(options: CaretakerOptions): Caretaker {
  const { store, clock, log, signs, vitals, watch, askSlack, admins, direct, kick } = options;
  let timer: Timer | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = true;
  let beatAt: Instant | null = null;

  const askIfQuiet = async (): Promise<void> => {
    const answeredAt = signs.slackAnsweredAt();
    const isQuiet = answeredAt === null || clock.now() >= later(answeredAt, ASK_SLACK_MS);
    if (isQuiet || !signs.slackIsWell()) await askSlack();
  };

  const beat = async (): Promise<void> => {
    const now = clock.now();
    if (beatAt !== null && now < later(beatAt, BEAT_MS)) return;
    beatAt = now;
    await store.health.checked(now, watch.health().lastSuccess).catch(() => {
      // The writes' own watch knows why; the next look tries again.
      beatAt = null;
    });
  };

  const look = async (): Promise<void> => {
    await askIfQuiet();
    await beat();
    const judged = judge(await vitals(), clock.now());
    const troubles = judged.kind === 'ok' ? [] : judged.troubles.filter(({ told }) => told);
    const unremembered = troubles.filter(isOfDatabase);
    await direct.tell(unremembered, admins);
    if (unremembered.length === 0) await remember(troubles);
  };

  /** Those that are there, and those that are over. */
  const remember = async (troubles: readonly Found[]): Promise<void> => {
    const open = await store.health.open();
    const unknown = troubles.filter(({ key }) => !open.some((one) => one.key === key));
    const gone = open.filter(({ key }) => !troubles.some((one) => one.key === key));
    if (troubles.length === 0 && gone.length === 0) return;
    const people = unknown.length + gone.length === 0 ? [] : await admins();
    await store.transaction(async (tables) => {
      const now = clock.now();
      for (const { id, key } of open) {
        const found = troubles.find((one) => one.key === key);
        if (found !== undefined) await tables.health.seen(id, found.trouble, now);
      }
      for (const found of unknown) await begin(tables, found, people, now);
      for (const { id } of gone) {
        if (!(await tables.health.end(id, now, later(now, -OVER_MS)))) continue;
        for (const person of people)
          await tables.cards.refresh(cardKey('trouble', id, channelId(person)), now);
      }
    });
    for (const { trouble, since } of unknown)
      log.error({ event: 'health.trouble', ...trouble, since }, 'Patchbay has a problem');
    for (const { trouble } of gone)
      log.info({ event: 'health.unseen', kind: trouble.kind }, 'problem no longer detected');
    kick();
  };

  const once = async (): Promise<void> => {
    try {
      await look();
    } catch (error) {
      log.warn({ event: 'health.look-failed', err: error }, 'could not run the health check');
    }
    if (!stopped) timer = clock.at(later(clock.now(), LOOK_MS), tick);
  };
  const tick = (): Promise<void> => {
    running = once();
    return running;
  };

  return {
    start() {
      stopped = false;
      timer = clock.at(later(clock.now(), LOOK_MS), tick);
    },
    async stop() {
      stopped = true;
      timer?.cancel();
      await running;
    },
    async newDatabase() {
      const people = await admins();
      return async (tables, now) => {
        const id = newTroubleId();
        const trouble = { kind: 'new-database' } as const;
        await tables.health.begin({ id, key: trouble.kind, trouble, since: now, seenAt: now, endedAt: now });
        for (const person of people) await wantCard(tables, id, person, now);
      };
    },
  };
}

async function begin(
  tables: Tables,
  { key, trouble, since }: Found,
  people: readonly PersonId[],
  now: Instant,
): Promise<void> {
  const id = newTroubleId();
  if (!(await tables.health.begin({ id, key, trouble, since, seenAt: now, endedAt: null }))) return;
  for (const person of people) await wantCard(tables, id, person, now);
}

async function wantCard(
  tables: Tables,
  id: ReturnType<typeof newTroubleId>,
  person: PersonId,
  now: Instant,
): Promise<void> {
  // A person's id in place of a channel's is their direct message (docs.slack.dev/reference/methods/chat.postMessage).
  const channel = channelId(person);
  await tables.cards.want({
    key: cardKey('trouble', id, channel),
    channel,
    fallbackPerson: person,
    dueAt: now,
  });
}

function isOfDatabase({ trouble: { kind } }: Found): boolean {
  return kind === 'database-down' || kind === 'database-unwritable';
}
