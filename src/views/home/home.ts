/** The app's Home: what waits for a person, what runs for them, what failed, the fleet, and Patchbay's health. */
import { mayDo, type Role } from '../../access.ts';
import { type Instant, later, MINUTE } from '../../clock.ts';
import { actions, button, context, divider, section } from '../kit/blocks.ts';
import { code, joined, type Mrkdwn, md, trusted } from '../kit/escape.ts';
import { LIMIT } from '../kit/limits.ts';
import { person, userGroup } from '../kit/mentions.ts';
import { SIGN } from '../kit/signs.ts';
import { when } from '../kit/when.ts';
import type { Block } from '../model.ts';
import { pausedBy } from '../pause.ts';
import { troubleWords } from '../troubles.ts';
import { fleetBlocks } from './home-fleet.ts';
import type { BotHealth, Deciders, HomeView } from './home-model.ts';
import { failureBlocks, type Links, operationsBlocks, requestsBlocks, waitingBlocks } from './home-work.ts';

/** `callback_id` of the Home, and the action of its refresh button. */
export const HOME = 'home';
export const REFRESH = 'home_refresh';
/** Longer than this without having read the event log, and alerts are late. */
const STALE_MS = 5 * MINUTE;
const MOST_NAMED = 5;
const MOST_TROUBLES = 3;

/** As Slack's `views.publish` takes it. */
export type HomeTab = {
  readonly type: 'home';
  readonly callback_id: string;
  readonly blocks: readonly Block[];
};

/** Draws a Home within Slack's limits. Pure. */
export function renderHome(view: HomeView, links: Links): HomeTab {
  return { type: 'home', callback_id: HOME, blocks: fitted(homeBlocks(view, links)) };
}

function homeBlocks(view: HomeView, links: Links): readonly Block[] {
  switch (view.kind) {
    case 'stranger':
      return [section(stranger(view)), ...refresh()];
    case 'unsure':
      return [
        section(md`*Patchbay*\nCouldn’t check your role with Slack. Patchbay will try again.`),
        ...refresh(),
      ];
    case 'home': {
      const parts = [
        view.pause && [
          section(md`${trusted(SIGN.warning)} *All changes are paused* ${pausedBy(view.pause)}.`),
        ],
        troubleBlocks(view.health, view.role),
        view.waiting &&
          waitingBlocks(view.waiting, links, { shared: !view.personal, channel: view.channels.approvals }),
        view.requests && requestsBlocks(view.requests, links, view.root),
        view.operations && operationsBlocks(view.operations, links, view.root),
        failureBlocks(view.failures, links, view.channels.patchAlerts),
        fleetBlocks(view.fleet),
      ].filter((part) => part !== null);
      return [
        ...parts.flatMap((part) => [...part, divider()]),
        context(
          health(view.health, view.asOf),
          md`As of ${when(view.asOf)}. Your role: ${ROLE_WORDS[view.role]}. ${code(`${view.root} help`)} lists the commands.`,
        ),
        ...refresh(),
      ];
    }
  }
}

const ROLE_WORDS = {
  viewer: md`viewer`,
  operator: md`operator`,
  approver: md`approver`,
  admin: md`admin`,
} as const;

function refresh(): readonly Block[] {
  return actions(button({ action: REFRESH, label: 'Refresh', value: 'refresh' }));
}

/** Who has no role learns whom to ask. */
function stranger({ root, deciders }: { readonly root: string; readonly deciders: Deciders }): Mrkdwn {
  const named = [...deciders.people.map(person), ...deciders.userGroups.map(userGroup)].slice(0, MOST_NAMED);
  const ask = named.length === 0 ? md`the people who run Patchbay` : joined(named, ' or ');
  return md`*Patchbay*\nPatchbay manages a fleet of computers from Slack. You don’t have a role yet. To get one, ask ${ask}.\n${code(`${root} help`)} shows what Patchbay can do.`;
}

/** For those who can do something about it. */
function troubleBlocks({ troubles }: BotHealth, role: Role): readonly Block[] | null {
  if (troubles.length === 0 || !mayDo(role, 'approve').allowed) return null;
  return troubles.slice(0, MOST_TROUBLES).map((shown) => {
    const { what, next } = troubleWords(shown);
    return section(md`${trusted(SIGN.failed)} *Problem:* ${what}\n${next}`);
  });
}

const BAD = md`${trusted(SIGN.warning)} *Patchbay has a problem:*`;

/** In one line; trouble is said as what it means for the reader. */
function health({ slack, database, readAt, failures, troubles }: BotHealth, now: Instant): Mrkdwn {
  if (!database) return md`${BAD} its database isn’t responding.`;
  if (readAt === null) return md`${BAD} the event log hasn’t been read yet, so alerts may be late.`;
  const read = when(readAt);
  if (later(readAt, STALE_MS) < now)
    return md`${BAD} the event log was last read ${read}, so alerts may be late.`;
  if (!slack) return md`${BAD} it isn’t connected to Slack.`;
  if (troubles.length > 0) return md`${BAD} its admins get the details.`;
  const stumbled = failures === 0 ? md`` : md` The latest attempt failed. Patchbay will try again.`;
  return md`${trusted(SIGN.good)} *Patchbay is healthy.* Event log read ${read}.${stumbled}`;
}

/** What is too much is cut before the end, and said. */
function fitted(blocks: readonly Block[]): readonly Block[] {
  if (blocks.length <= LIMIT.homeBlocks) return blocks;
  const end = blocks.slice(-2);
  const kept = blocks.slice(0, LIMIT.homeBlocks - end.length - 1);
  const left = blocks.length - end.length - kept.length;
  return [...kept, context(md`${left} more items didn’t fit here.`), ...end];
}
