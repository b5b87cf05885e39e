/** `GET /sandbox/state`: users, channels, services and their addresses. */
import type { MovableClock } from '../../lib/clock.ts';
import type { FollowedMoves } from '../clock-sync.ts';
import type { ManagementService, Wire, Workspace } from '../contracts/services.ts';
import type { ProcessHealth } from '../process/process-health.ts';
import type { ProductReplicas } from '../process/product-replicas.ts';

export type WorkspaceState = {
  readonly workspace: Workspace;
  readonly bots: ProductReplicas;
  /** The last lines of the bot's processes, and how the last of them ended. */
  readonly health: () => ProcessHealth;
  /** The address on which the bot listens. */
  readonly botUrl: () => string | null;
};

export type StateOptions = {
  readonly clock: Pick<MovableClock, 'now'>;
  readonly management: ManagementService;
  readonly wire: Pick<Wire, 'faults'>;
  readonly isBehind: FollowedMoves['isBehind'];
  /** Absent when the management service runs alone. */
  readonly workspaceState?: WorkspaceState;
};

/** Everything that a program needs to connect; the keys open nothing but this sandbox. */
export function readState({ clock, management, wire, isBehind, workspaceState }: StateOptions) {
  const { baseUrl, apiKey, organizationId } = management;
  return {
    users: workspaceState?.workspace.users() ?? [],
    channels: (workspaceState?.workspace.channels() ?? []).filter(({ isPrivate }) => isPrivate !== true),
    userGroups: workspaceState?.workspace.userGroups() ?? [],
    organization: { id: organizationId },
    clock: clock.now(),
    /** The product has not done yet what fell due on the way to this time. */
    catchingUp: isBehind(),
    management: { baseUrl, apiKey },
    slack: workspaceState ? slackState(workspaceState) : null,
    bot: botState(workspaceState),
    living: management.isLive(),
    faults: wire.faults(),
  };
}

function slackState({ workspace, botUrl }: WorkspaceState) {
  const { apiUrl, botToken, appToken, signingSecret } = workspace;
  return { apiUrl, botToken, appToken, signingSecret, botUrl: botUrl() };
}

function botState(workspaceState: WorkspaceState | undefined) {
  const processes = workspaceState?.bots.running().length ?? 0;
  return { running: processes > 0, processes };
}
