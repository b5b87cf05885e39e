/** The installed app: its bot user in this workspace, and the keys from its installation. */
import { randomBytes } from 'node:crypto';

export type InstalledApp = Readonly<ReturnType<typeof installApp>>;

/** An app with fixed ids and new keys. */
export function installApp() {
  const random = (bytes: number) => randomBytes(bytes).toString('hex');
  return {
    appId: 'A0PATCHBAY1',
    teamId: 'T0SANDBOX01',
    teamName: 'Sandbox',
    teamDomain: 'sandbox',
    botId: 'B0PATCHBAY1',
    /** The bot's user id: author of its messages and member of channels. */
    botUser: 'U0PATCHBAY1',
    botName: 'patchbay',
    botToken: `xoxb-sandbox-${random(12)}`,
    appToken: `xapp-1-A0PATCHBAY1-${random(12)}`,
    signingSecret: random(16),
    /** Slack still sends this obsolete field in every payload; nothing may trust it. */
    verificationToken: 'not-a-secret',
  };
}
