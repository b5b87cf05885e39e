/** Fields that several records have. Whoever reads a record checks it against its schema, and gets ids of their types. */
import { z } from 'zod';
import { instant } from './clock.ts';
import {
  channelId,
  deviceId,
  eventId,
  groupId,
  organizationId,
  personId,
  policyId,
  queueEntryId,
} from './ids.ts';
import type { Unchanging } from './unchanging.ts';

export const wholeNumber = z.int();
export const instantField = wholeNumber.transform(instant);
export const organizationField = wholeNumber.transform(organizationId);
export const deviceField = wholeNumber.transform(deviceId);
export const groupField = wholeNumber.transform(groupId);
export const policyField = wholeNumber.transform(policyId);
export const eventField = wholeNumber.transform(eventId);
export const queueEntryField = wholeNumber.transform(queueEntryId);
export const personField = z.string().transform(personId);
export const channelField = z.string().transform(channelId);
export const nullableText = z.string().nullable();
export const nullableNumber = z.number().nullable();
export const nullableFlag = z.boolean().nullable();

/** The record that a schema reads. */
export type Stored<Schema extends z.ZodType> = Unchanging<z.output<Schema>>;
