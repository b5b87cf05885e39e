/** Our own mentions and links: the only ones a message of ours holds. */
import type { ChannelId, PersonId, UserGroupId } from '../../ids.ts';
import { joined, literal, type Mrkdwn, md, trusted } from './escape.ts';
import { LIMIT } from './limits.ts';

/** Ids as Slack makes them; anything else is shown as the text that it is. */
const PERSON = /^[UW][A-Z0-9]{1,40}$/;
const USER_GROUP = /^S[A-Z0-9]{1,40}$/;
const CHANNEL = /^[CDG][A-Z0-9]{1,40}$/;

/** Whether Slack makes such ids of people. */
export function isPerson(id: string): boolean {
  return PERSON.test(id);
}

export function person(id: PersonId): Mrkdwn {
  return isPerson(id) ? md`<@${trusted(id)}>` : literal(id);
}

/** Only for views: in a message it would call all of them. */
export function userGroup(id: UserGroupId): Mrkdwn {
  return USER_GROUP.test(id) ? md`<!subteam^${trusted(id)}>` : literal(id);
}

export function channel(id: ChannelId): Mrkdwn {
  return CHANNEL.test(id) ? md`<#${trusted(id)}>` : literal(id);
}

/** A link with our own label; just the label where the address is none that a message can hold. */
export function link(address: string | null, label: Mrkdwn): Mrkdwn {
  if (address === null || address.length > LIMIT.url || !/^https?:\/\/[^\s<>|`]+$/.test(address))
    return label;
  return md`<${trusted(address.replaceAll('&', '&amp;'))}|${label}>`;
}

/** Whom to ask for a role. Private answers tell nobody whom they mention. */
export function whom(people: readonly PersonId[]): Mrkdwn {
  if (people.length === 0) return md`an administrator of Patchbay`;
  return joined(people.slice(0, ASKED).map(person), ' or ');
}
/** More names help nobody to choose. */
const ASKED = 3;
