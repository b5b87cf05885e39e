/** Mentions and links: the only ones that our messages contain. */
import type { ChannelId, PersonId, UserGroupId } from '../../lib/ids.ts';
import { escapeMrkdwn, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from './escape.ts';
import { LIMIT } from './limits.ts';

/** IDs as Slack makes them; anything else is shown as plain text. */
const USER_ID = /^[UW][A-Z0-9]{1,40}$/;
const USER_GROUP = /^S[A-Z0-9]{1,40}$/;
const CHANNEL = /^[CDG][A-Z0-9]{1,40}$/;

export function isUserId(id: string): boolean {
  return USER_ID.test(id);
}

/** A mention of a person; in a message it notifies them. */
export function mentionPerson(id: PersonId): Mrkdwn {
  return isUserId(id) ? md`<@${trustedMrkdwn(id)}>` : escapeMrkdwn(id);
}

/** For windows, the Home and private answers only: in a channel it would notify the whole group. */
export function mentionUserGroup(id: UserGroupId): Mrkdwn {
  return USER_GROUP.test(id) ? md`<!subteam^${trustedMrkdwn(id)}>` : escapeMrkdwn(id);
}

export function mentionChannel(id: ChannelId): Mrkdwn {
  return CHANNEL.test(id) ? md`<#${trustedMrkdwn(id)}>` : escapeMrkdwn(id);
}

/** A link with our own label; the label alone where the address is missing, invalid or too long. */
export function linkTo(address: string | null, label: Mrkdwn): Mrkdwn {
  if (address === null || address.length > LIMIT.url || !/^https?:\/\/[^\s<>|`]+$/.test(address))
    return label;
  return md`<${trustedMrkdwn(address.replaceAll('&', '&amp;'))}|${label}>`;
}

/** The id of a ticket, such as ABC-123: no part of a longer word or an address, and not cut. */
const TICKET = /(?<![\p{L}\p{N}_-]|:\/\/\S*)[A-Z][A-Z0-9]{1,9}-[1-9]\d{0,9}(?![\p{L}\p{N}_…-])/gu;
const MAX_TICKETS = 3;

/** Escaped text with a link for each ticket that it names: beside text that is shown as code, because code has no links. */
export function withTicketLinks(text: Mrkdwn, ticketUrl: string | undefined): Mrkdwn {
  if (ticketUrl === undefined) return text;
  const ids = [...new Set(text.match(TICKET))].slice(0, MAX_TICKETS);
  const link = (id: string) => linkTo(ticketUrl.replace('{id}', id), trustedMrkdwn(id));
  if (text.startsWith('`')) return joinMrkdwn([text, ...ids.map(link)], ' ');
  return trustedMrkdwn(text.replace(TICKET, (id) => (ids.includes(id) ? link(id) : id)));
}

/** The people to ask for a role. For private answers only, in which mentions notify nobody. */
export function mentionPeople(people: readonly PersonId[]): Mrkdwn {
  if (people.length === 0) return md`an administrator of Patchbay`;
  return joinMrkdwn(people.slice(0, MAX_MENTIONED).map(mentionPerson), ' or ');
}
/** A longer list would not make the choice easier. */
const MAX_MENTIONED = 3;
