/** A command's window with fields: opened where something is missing, and where a person would rather not type. */

import { z } from 'zod';
import type { ChannelId } from '../../../lib/ids.ts';
import type { Problem } from '../../../views/model.ts';
import type { FieldValues, FormView } from '../../../views/models/form-model.ts';
import type { ReadPorts } from '../../core/command.ts';
import type { SettingsPort } from '../../settings/settings-port.ts';

/** What a form is drawn from. */
export type FormPorts = ReadPorts & {
  readonly settings: SettingsPort;
  /** Where it was asked for. */
  readonly channel: ChannelId;
};

export type CommandForm = {
  /** Drawn with what is known already (input of the command, in part). May read; the window says meanwhile that it looks. */
  readonly open: (given: unknown, ports: FormPorts) => Promise<OpenedForm>;
  /** The input for the command, or what is wrong with which field. From memory alone: Slack waits three seconds. */
  readonly read: (values: FieldValues, context: unknown, ports: ReadPorts) => FormValues;
  /** Drawn anew after a live field changed. */
  readonly redraw?: (values: FieldValues, context: unknown, ports: FormPorts) => Promise<OpenedForm>;
};

export type OpenedForm =
  | { readonly kind: 'form'; readonly form: FormView }
  | { readonly kind: 'problem'; readonly problem: Problem };

export type FormValues =
  | { readonly kind: 'input'; readonly input: unknown }
  /** By field id. */
  | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> };

/** What was typed before a form was opened goes along with its window: fields that are drawn later begin with it. */

/** What a window carries has room for little more (3,000 characters, Slack). */
const MAX_CARRIED = 500;

const carriedSchema = z.record(z.string(), z.unknown()).catch({});
const carried = z.object({ typed: carriedSchema }).catch({ typed: {} });

/** For the context of a window; what stands in a field of its own already, as `apart`, and what is too long is left out. */
export function withPrefill(typed: unknown, apart: readonly string[]) {
  const rest = Object.entries(carriedSchema.parse(typed)).filter(([name]) => !apart.includes(name));
  const carriedFields = Object.fromEntries(rest);
  return { typed: JSON.stringify(carriedFields).length > MAX_CARRIED ? {} : carriedFields };
}

/** The same from the context. */
export function prefillIn(context: unknown): Readonly<Record<string, unknown>> {
  return carried.parse(context).typed;
}
