/** Our own mentions and links: the only ones a message of ours holds. */
import type { ChannelId, PersonId, UserGroupId } from '../../lib/ids.ts';
import { escapeMrkdwn, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from './escape.ts';
import { LIMIT } from './limits.ts';

/** Ids as Slack makes them; anything else is shown as the text that it is. */
const USER_ID = /^[UW][A-Z0-9]{1,40}$/;
const USER_GROUP = /^S[A-Z0-9]{1,40}$/;
const CHANNEL = /^[CDG][A-Z0-9]{1,40}$/;

/** Whether Slack makes such ids of people. */
export function isUserId(id: string): boolean {
  return USER_ID.test(id);
}

export function mentionPerson(id: PersonId): Mrkdwn {
  return isUserId(id) ? md`<@${trustedMrkdwn(id)}>` : escapeMrkdwn(id);
}

/** Only for views: in a message it would call all of them. */
export function mentionUserGroup(id: UserGroupId): Mrkdwn {
  return USER_GROUP.test(id) ? md`<!subteam^${trustedMrkdwn(id)}>` : escapeMrkdwn(id);
}

export function mentionChannel(id: ChannelId): Mrkdwn {
  return CHANNEL.test(id) ? md`<#${trustedMrkdwn(id)}>` : escapeMrkdwn(id);
}

/** A link with our own label; just the label where the address is none that a message can hold. */
export function linkTo(address: string | null, label: Mrkdwn): Mrkdwn {
  if (address === null || address.length > LIMIT.url || !/^https?:\/\/[^\s<>|`]+$/.test(address))
    return label;
  return md`<${trustedMrkdwn(address.replaceAll('&', '&amp;'))}|${label}>`;
}

/** Whom to ask for a role. Private answers tell nobody whom they mention. */
export function mentionPeople(people: readonly PersonId[]): Mrkdwn {
  if (people.length === 0) return md`an administrator of Patchbay`;
  return joinMrkdwn(people.slice(0, MAX_MENTIONED).map(mentionPerson), ' or ');
}
/** More names help nobody to choose. */
const MAX_MENTIONED = 3;
