/**
 * The baseline: a process with only Bolt in Socket Mode, which acknowledges `/fleet` and answers with a fixed text.
 * It is forked in place of the product, with the same settings, and reports readiness like it.
 */
import bolt from '@slack/bolt';

const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN = '', SLACK_API_URL = '' } = process.env;

const app = new bolt.App({
  token: SLACK_BOT_TOKEN,
  appToken: SLACK_APP_TOKEN,
  socketMode: true,
  clientOptions: { slackApiUrl: SLACK_API_URL },
  logLevel: bolt.LogLevel.ERROR,
});
app.command('/fleet', async ({ ack, respond }) => {
  await ack();
  await respond({ response_type: 'ephemeral', text: 'a fixed answer' });
});
process.on('disconnect', () => process.exit(1));
await app.start();
process.send?.({ type: 'ready', rests: false });
