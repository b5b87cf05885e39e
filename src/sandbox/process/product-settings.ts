/** The product's settings in the sandbox: a configuration file and environment variables, as anywhere else. */
import { stringify } from 'yaml';
import type { ManagementOptions, ManagementService, Workspace } from '../contracts/services.ts';

/** The configuration file of this workspace: roles by user id, by several user ids, and by user group. */
export function configurationFile(workspace: Pick<Workspace, 'users' | 'channels' | 'userGroups'>): string {
  const user = (name: string) => idOf(workspace.users(), name);
  const channel = (name: string) => idOf(workspace.channels(), name);
  const groups = workspace.userGroups().map(({ id, handle }) => ({ id, name: handle.replace(/^@/, '') }));
  return stringify({
    roles: {
      viewer: [user('viewer')],
      operator: [user('operator'), user('operator2')],
      approver: [idOf(groups, 'fleet-approvers')],
      admin: [user('admin')],
    },
    channels: {
      approvals: channel('approvals'),
      patchAlerts: channel('patch-alerts'),
      newDevices: channel('new-devices'),
    },
  });
}

export type ProductSettingsOptions = {
  readonly management: ManagementService;
  readonly workspace: Workspace;
  /** The service's profile; absent: live, which the product expects. */
  readonly profile?: ManagementOptions['profile'];
  readonly transport: 'socket' | 'http';
  readonly databaseUrl: string;
  readonly configurationPath: string;
  readonly port: number;
  readonly logLevel: string;
};

/** The product's environment variables; none is taken from this machine. */
export function productSettings(options: ProductSettingsOptions): Readonly<Record<string, string>> {
  const { management, workspace, profile, transport } = options;
  return {
    FLEET_BASE_URL: management.baseUrl,
    FLEET_API_KEY: management.apiKey,
    FLEET_ORGANIZATION: String(management.organizationId),
    // No console runs there: the address only makes links to devices testable.
    FLEET_CONSOLE_URL: 'https://console.example.com/device/{id}',
    ...(profile === undefined ? {} : { FLEET_DIALECT: profile }),
    SLACK_BOT_TOKEN: workspace.botToken,
    ...(transport === 'socket'
      ? { SLACK_APP_TOKEN: workspace.appToken }
      : { SLACK_SIGNING_SECRET: workspace.signingSecret }),
    SLACK_API_URL: workspace.apiUrl,
    DATABASE_URL: options.databaseUrl,
    PORT: String(options.port),
    LOG_LEVEL: options.logLevel,
    PATCHBAY_CONFIG: options.configurationPath,
  };
}

function idOf(known: readonly { readonly id: string; readonly name: string }[], name: string): string {
  const found = known.find((one) => one.name === name);
  if (!found) throw new Error(`the workspace has no ${name}`);
  return found.id;
}
