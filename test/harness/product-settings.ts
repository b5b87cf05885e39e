/** The settings of a product that joins a sandbox's services from outside, written like a person would. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from './client.ts';

export async function settingsOf(
  sandbox: Client,
  folder: string,
  channels: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const { users, channels: known, management, slack, organization } = await sandbox.state();
  const idOf = (name: string, list: readonly { readonly id: string; readonly name: string }[]) =>
    list.find((one) => one.name === name)?.id ?? '';
  const policy = {
    roles: {
      operator: [idOf('operator', users)],
      approver: [idOf('approver', users), idOf('approver2', users)],
    },
    channels: {
      approvals: channels['approvals'] ?? idOf('approvals', known),
      patchAlerts: channels['patchAlerts'] ?? idOf('patch-alerts', known),
      newDevices: channels['newDevices'] ?? idOf('new-devices', known),
    },
  };
  const path = join(folder, 'policy.yml');
  // JSON is YAML.
  writeFileSync(path, JSON.stringify(policy));
  return {
    FLEET_BASE_URL: management.baseUrl,
    FLEET_API_KEY: management.apiKey,
    FLEET_ORGANIZATION: String(organization.id),
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    DATABASE_URL: `sqlite:${join(folder, 'patchbay.sqlite')}`,
    PORT: '0',
    PATCHBAY_CONFIG: path,
  };
}
