/** The app's Home: published for who opens it, kept up to date for a while, and the presses on it. */
import { z } from 'zod';
import { type Instant, later, MINUTE } from '../../clock.ts';
import { channelId, type PersonId, personId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import type { Store } from '../../store/store.ts';
import { renderHome } from '../../views/home/home.ts';
import { homeView, linkedCards } from '../../views/home/home-model.ts';
import type { Block } from '../../views/model.ts';
import type { Actions } from '../actions.ts';
import type { Directs } from '../directs.ts';
import type { Asked } from '../faults.ts';
import type { OpenForm } from '../forms/forms-window.ts';
import type { Caller, Reply } from '../replies.ts';
import type { SlackWeb } from '../web.ts';
import { createHomeFacts, type HomeFactsOptions } from './home-facts.ts';
import { createHomeLinks } from './home-links.ts';
import { createHomePress, type HomePress } from './home-press.ts';
import { createPublishHome } from './home-publish.ts';
import { createHomeUpdates, type HomeUpdates } from './home-updates.ts';

const openedSchema = z.object({
  user: z.string().transform(personId),
  channel: z.string().transform(channelId),
  tab: z.string(),
});

export type Home = HomePress &
  Pick<HomeUpdates, 'changed' | 'stop'> & {
    /** Listener of `app_home_opened`. */
    readonly opened: (payload: unknown) => Promise<void>;
  };

export type HomeOptions = Omit<HomeFactsOptions, 'store' | 'onFleet'> & {
  readonly store: HomeFactsOptions['store'] & Pick<Store, 'cards'>;
  readonly web: SlackWeb;
  readonly actions: Pick<Actions, 'press' | 'asksForChange' | 'noteOf'>;
  readonly openForm: OpenForm;
  readonly directs: Directs;
  readonly tell: (caller: Caller) => Reply;
  readonly log: Log;
};

/** Nothing but the time has changed: so long the old times may stand. */
const STALE_MS = 10 * MINUTE;
const MOST_KEPT = 1_000;

export function createHome(options: HomeOptions): Home {
  const { store, web, ports, directs, log } = options;
  const { clock } = ports;
  /** What stands on a Home, as far as it is known. */
  const published = new Map<PersonId, { readonly drawn: string; readonly staleAt: Instant }>();
  const linksTo = createHomeLinks(store, web);
  const publishTab = createPublishHome(web, log);
  const readFacts = createHomeFacts({ ...options, onFleet: () => updates.changed() });

  const publish = async (person: PersonId, asked: boolean): Promise<Asked<unknown>> => {
    const view = homeView(await readFacts(person));
    const tab = renderHome(view, await linksTo(linkedCards(view)));
    const drawn = withoutTimes(tab.blocks);
    const before = published.get(person);
    if (!asked && before?.drawn === drawn && clock.now() < before.staleAt) return { kind: 'ok', value: null };
    published.delete(person);
    const ended = await publishTab(person, tab);
    if (ended.kind === 'ok') {
      if (published.size >= MOST_KEPT) published.clear();
      published.set(person, { drawn, staleAt: later(clock.now(), STALE_MS) });
    }
    return ended;
  };
  const updates = createHomeUpdates({ clock, log, publish });

  const { takes, press } = createHomePress({ ...options, directTo: directs.to, onRefresh: updates.open });

  return {
    takes,
    press,
    changed: updates.changed,
    stop: updates.stop,
    async opened(payload) {
      const { user, channel, tab } = openedSchema.parse(payload);
      if (tab !== 'home') return;
      directs.learn(user, channel);
      await updates.open(user);
    },
  };
}

function withoutTimes(blocks: readonly Block[]): string {
  return JSON.stringify(blocks).replace(/<!date\^[^>]*>/g, '');
}
