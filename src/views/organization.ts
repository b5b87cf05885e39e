/** The organization that Patchbay works for. */
import type { Organization } from '../fleet/policy.ts';
import { context, fields, section } from './kit/blocks.ts';
import { heading, literal, type Mrkdwn, md } from './kit/escape.ts';
import { message } from './kit/message.ts';
import { when, whenOr } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { known } from './words.ts';

export function renderOrganization(view: Extract<View, { kind: 'organization' }>): RenderedMessage {
  const { organization, id, asOf } = view;
  const end = [context(md`As of ${when(asOf)}.`)];
  if (organization === null) {
    const text = md`The management service doesn’t list organization #${id} for Patchbay’s API key.`;
    return message({ text, body: [section(text)], end });
  }
  const { name, tier, createTime } = organization;
  return message({
    text: md`Organization ${literal(name)}: ${deviceWords(organization)}.`,
    body: [
      section(heading('Organization', name)),
      ...fields([
        { label: 'ID', value: md`#${id}` },
        { label: 'Tier', value: known(tier) },
        { label: 'Devices', value: deviceWords(organization) },
        { label: 'Created', value: whenOr(createTime, 'Not stated') },
      ]),
    ],
    end,
  });
}

function deviceWords({ deviceCount, deviceLimit }: Organization): Mrkdwn {
  const counted = deviceCount === null ? md`devices not counted` : md`${deviceCount} devices`;
  return deviceLimit === null ? md`${counted}, no limit stated` : md`${counted} of ${deviceLimit} allowed`;
}
