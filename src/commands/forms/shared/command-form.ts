/** The form of a command: opened by a button, or where a typed line lacks a part. */

import { z } from 'zod';
import type { ChannelId } from '../../../lib/ids.ts';
import type { Problem } from '../../../views/model.ts';
import type { FieldValues, FormField, FormOption, FormView } from '../../../views/models/form-model.ts';
import type { ReadPorts } from '../../core/ports.ts';
import type { SettingsPort } from '../../settings/settings-port.ts';

/** What a form reads from. */
export type FormPorts = ReadPorts & {
  readonly settings: SettingsPort;
  /** Where it was asked for. */
  readonly channel: ChannelId;
};

export type CommandForm = {
  /** Draws the form with the known part of the input. May read; the window shows “Looking…” meanwhile. */
  readonly open: (given: unknown, ports: FormPorts) => Promise<OpenedForm>;
  /** The input for the command, or the errors by field. Reads nothing: Slack waits three seconds. */
  readonly read: (values: FieldValues, context: unknown, ports: ReadPorts) => FormValues;
  /** Redraws the form after a live field changed. */
  readonly redraw?: (values: FieldValues, context: unknown, ports: FormPorts) => Promise<OpenedForm>;
};

export type OpenedForm =
  | { readonly kind: 'form'; readonly form: FormView }
  | { readonly kind: 'problem'; readonly problem: Problem };

export type FormValues =
  | { readonly kind: 'input'; readonly input: unknown }
  /** By field id. */
  | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> };

/** What the fields of a form depend on. */
export type FormSubject = {
  /** Its field, which has its name in the command's input. */
  readonly field: string;
  /** The error where none is chosen. */
  readonly missing: string;
  /** The field, for which the form is redrawn. */
  readonly menu: (chosen: FormOption | null) => FormField;
  /** By a name, or by its number. */
  readonly option: (ref: string | number | undefined, ports: ReadPorts) => Promise<FormOption | null>;
  /** What was typed before the form opens. */
  readonly prefill: (typed: unknown) => {
    readonly ref: string | number | undefined;
    readonly reason: string | null;
  };
};

/** Slack limits the metadata of a window to 3,000 characters. */
const MAX_CARRIED = 500;

const carriedSchema = z.record(z.string(), z.unknown()).catch({});
const carried = z.object({ typed: carriedSchema }).catch({ typed: {} });

/**
 * What was typed before the form opened, kept in its metadata for fields that are drawn later: without the fields in
 * `apart` and without what is too long.
 */
export function withPrefill(typed: unknown, apart: readonly string[]) {
  const rest = Object.entries(carriedSchema.parse(typed)).filter(([name]) => !apart.includes(name));
  const carriedFields = Object.fromEntries(rest);
  return { typed: JSON.stringify(carriedFields).length > MAX_CARRIED ? {} : carriedFields };
}

/** The typed input from the metadata. */
export function prefillIn(context: unknown): Readonly<Record<string, unknown>> {
  return carried.parse(context).typed;
}
