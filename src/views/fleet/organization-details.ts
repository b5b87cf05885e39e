/** The organization that Patchbay works for. */
import type { Organization } from '../../fleet/model/policy.ts';
import type { Instant } from '../../lib/clock.ts';
import { context, section } from '../kit/blocks.ts';
import { boldHeading, escapeMrkdwn, md } from '../kit/escape.ts';
import { buildMessage } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import { countText } from '../text/common-text.ts';
import { statedFields, statedParts, statedText, statedTime } from '../text/stated-facts.ts';

export type OrganizationView = {
  readonly kind: 'organization';
  /** Null: Patchbay's API key does not see the configured organization. */
  readonly organization: Organization | null;
  readonly id: number;
  readonly asOf: Instant;
};

/** The details, or a sentence where the API key does not see the organization. */
export function renderOrganization(view: OrganizationView): RenderedMessage {
  const { organization, id, asOf } = view;
  const footer = [context(md`As of ${relativeDate(asOf)}.`)];
  if (organization === null) {
    const text = md`The management service doesn’t list organization #${id} for Patchbay’s API key.`;
    return buildMessage({ text, body: [section(text)], footer });
  }
  const { name, tier, createTime } = organization;
  const devices = statedParts(
    organization.deviceCount === null ? null : countText(organization.deviceCount, 'device'),
    organization.deviceLimit === null ? null : md`limit ${organization.deviceLimit}`,
  );
  return buildMessage({
    text:
      devices === null
        ? md`Organization ${escapeMrkdwn(name)}.`
        : md`Organization ${escapeMrkdwn(name)}: ${devices}.`,
    body: [
      section(boldHeading('Organization', name)),
      ...statedFields([
        { label: 'ID', value: md`#${id}` },
        { label: 'Tier', value: statedText(tier) },
        { label: 'Devices', value: devices },
        { label: 'Created', value: statedTime(createTime) },
      ]),
    ],
    footer,
  });
}
