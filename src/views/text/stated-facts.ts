/** Facts as the service states them. Null where it states nothing, so that the row is left out; 0 and “no” are facts. */
import { systemName } from '../../fleet/model/derived-fields.ts';
import type { Instant } from '../../lib/clock.ts';
import { fields } from '../kit/blocks.ts';
import { escapeMrkdwn, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import type { Block } from '../kit/limits.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { ListedDeviceLine } from '../models/list-model.ts';
import { policyTypeText } from './common-text.ts';

export type StatedFact = { readonly label: string; readonly value: Mrkdwn | null };

export function statedFields(facts: readonly StatedFact[]): readonly Block[] {
  return fields(facts.flatMap(({ label, value }) => (value === null ? [] : [{ label, value }])));
}

export function present(...parts: readonly (Mrkdwn | null)[]): readonly Mrkdwn[] {
  return parts.filter((part) => part !== null);
}

/** The parts that are not null, separated by commas; null if all are. */
export function statedParts(...parts: readonly (Mrkdwn | null)[]): Mrkdwn | null {
  const there = present(...parts);
  return there.length === 0 ? null : joinMrkdwn(there, ', ');
}

/** The text, escaped; null where it is missing or empty. `max`: characters. */
export function statedText(text: string | null, max?: number): Mrkdwn | null {
  return text === null || text === '' ? null : escapeMrkdwn(text, max);
}

export function statedNumber(value: number | null): Mrkdwn | null {
  return value === null ? null : md`${value}`;
}

export function statedYesNo(value: boolean | null): Mrkdwn | null {
  if (value === null) return null;
  return value ? md`Yes` : md`No`;
}

/** The time in the reader’s zone; null where it is not stated. */
export function statedTime(at: Instant | null): Mrkdwn | null {
  return at === null ? null : relativeDate(at);
}

/** Operating system and version; null where neither is stated. */
export function statedSystem(device: Parameters<typeof systemName>[0]): Mrkdwn | null {
  return statedText(systemName(device));
}

export function statedPolicyType(type: string | null): Mrkdwn | null {
  return type === null ? null : policyTypeText(type);
}

/** The group's name, or its ID where the name is not known. */
export function statedGroup({ device, groupName }: ListedDeviceLine): Mrkdwn | null {
  if (groupName !== null) return statedText(groupName);
  return device.groupId === null ? null : md`#${device.groupId}`;
}
