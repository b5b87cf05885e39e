/** The organization that Patchbay works for. */
import type { Organization } from '../fleet/policy.ts';
import { context, section } from './kit/blocks.ts';
import { heading, literal, type Mrkdwn, md } from './kit/escape.ts';
import { message } from './kit/message.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { statedFields, statedParts, statedText, statedTime } from './stated.ts';
import { count } from './words.ts';

export function renderOrganization(view: Extract<View, { kind: 'organization' }>): RenderedMessage {
  const { organization, id, asOf } = view;
  const end = [context(md`As of ${when(asOf)}.`)];
  if (organization === null) {
    const text = md`The management service doesn’t list organization #${id} for Patchbay’s API key.`;
    return message({ text, body: [section(text)], end });
  }
  const { name, tier, createTime } = organization;
  const devices = deviceWords(organization);
  return message({
    text:
      devices === null ? md`Organization ${literal(name)}.` : md`Organization ${literal(name)}: ${devices}.`,
    body: [
      section(heading('Organization', name)),
      ...statedFields([
        { label: 'ID', value: md`#${id}` },
        { label: 'Tier', value: statedText(tier) },
        { label: 'Devices', value: devices },
        { label: 'Created', value: statedTime(createTime) },
      ]),
    ],
    end,
  });
}

function deviceWords({ deviceCount, deviceLimit }: Organization): Mrkdwn | null {
  return statedParts(
    deviceCount === null ? null : count(deviceCount, 'device'),
    deviceLimit === null ? null : md`limit ${deviceLimit}`,
  );
}
