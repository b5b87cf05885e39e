/** The time zone in which a person types and reads times. */
import { section } from './kit/blocks.ts';
import { literal, md } from './kit/escape.ts';
import { message } from './kit/message.ts';
import { inZone } from './kit/when.ts';
import type { RenderedMessage } from './model.ts';
import type { SettingView } from './models/settings-model.ts';

export function renderZone(view: Extract<SettingView, { kind: 'zone' }>): RenderedMessage {
  const { zone, chosen, changed, asOf } = view;
  const is = changed ? md`is now` : md`is`;
  const from = chosen
    ? md``
    : md`, because you have not chosen one: it is Slack’s, or UTC where Slack has none`;
  const text = md`Your time zone ${is} ${literal(zone)}${from}. There it is ${literal(inZone(asOf, zone))}.`;
  const use = md`Times that you type are read in it. Exported files show times in UTC. Messages show them in the time zone of your Slack settings.`;
  return message({ text, body: [section(md`${text}\n${use}`)] });
}
