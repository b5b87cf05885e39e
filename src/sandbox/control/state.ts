/** `GET /sandbox/state`: who and what is here, and how to reach it. */
import type { MovableClock } from '../../clock.ts';
import type { BotHealth } from '../bot-health.ts';
import type { Bots } from '../bots.ts';
import type { Management, Wire, Workspace } from '../contracts.ts';

export type Town = {
  readonly workspace: Workspace;
  readonly bots: Bots;
  /** What the bot's processes wrote last, and how the last of them ended. */
  readonly health: () => BotHealth;
  /** Where the bot listens. */
  readonly botUrl: () => string | null;
};

export type StateOptions = {
  readonly clock: Pick<MovableClock, 'now'>;
  readonly management: Management;
  readonly wire: Pick<Wire, 'faults'>;
  /** Absent when the management service runs alone. */
  readonly town?: Town;
};

/** Everything that a program needs to take part; the keys open nothing but this sandbox. */
export function readState({ clock, management, wire, town }: StateOptions) {
  const { baseUrl, apiKey, organizationId } = management;
  return {
    users: town?.workspace.users() ?? [],
    channels: (town?.workspace.channels() ?? []).filter(({ isPrivate }) => isPrivate !== true),
    userGroups: town?.workspace.userGroups() ?? [],
    organization: { id: organizationId },
    clock: clock.now(),
    management: { baseUrl, apiKey },
    slack: town ? slackState(town) : null,
    bot: botState(town),
    living: management.living(),
    faults: wire.faults(),
  };
}

function slackState({ workspace, botUrl }: Town) {
  const { apiUrl, botToken, appToken, signingSecret } = workspace;
  return { apiUrl, botToken, appToken, signingSecret, botUrl: botUrl() };
}

function botState(town: Town | undefined) {
  const processes = town?.bots.running().length ?? 0;
  return { running: processes > 0, processes };
}
