/** The time zone in which a person types and reads times. */
import { context, section } from './kit/blocks.ts';
import { literal, md } from './kit/escape.ts';
import { message } from './kit/message.ts';
import { inZone } from './kit/when.ts';
import type { RenderedMessage } from './model.ts';
import type { SettingView } from './models/settings-model.ts';

export function renderZone(view: Extract<SettingView, { kind: 'zone' }>): RenderedMessage {
  const { zone, chosen, changed, asOf } = view;
  const is = changed ? md`Your time zone is now ${literal(zone)}.` : md`Your time zone is ${literal(zone)}.`;
  const from = chosen ? md`` : md` You haven’t set one, so Slack’s is used (UTC if Slack has none).`;
  const text = md`${is}${from} Current time: ${literal(inZone(asOf, zone))}.`;
  const use = md`Times you type are read in this time zone. Messages use your Slack time zone. Exported files use UTC.`;
  return message({ text, body: [section(text), context(use)] });
}
