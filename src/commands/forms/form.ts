/** A command's window with fields: opened where something is missing, and where a person would rather not type. */
import type { ChannelId } from '../../ids.ts';
import type { Problem } from '../../views/model.ts';
import type { FieldValues, FormView } from '../../views/models/form-model.ts';
import type { ReadPorts } from '../command.ts';
import type { Settings } from '../settings.ts';

/** What a form is drawn from. */
export type FormPorts = ReadPorts & {
  readonly settings: Settings;
  /** Where it was asked for. */
  readonly channel: ChannelId;
};

export type Form = {
  /** Drawn with what is known already (input of the command, in part). May read; the window says meanwhile that it looks. */
  readonly open: (given: unknown, ports: FormPorts) => Promise<FormOpened>;
  /** The input for the command, or what is wrong with which field. From memory alone: Slack waits three seconds. */
  readonly read: (values: FieldValues, context: unknown, ports: ReadPorts) => FormRead;
  /** Drawn anew after a live field changed. */
  readonly redraw?: (values: FieldValues, context: unknown, ports: FormPorts) => Promise<FormOpened>;
};

export type FormOpened =
  | { readonly kind: 'form'; readonly form: FormView }
  | { readonly kind: 'problem'; readonly problem: Problem };

export type FormRead =
  | { readonly kind: 'input'; readonly input: unknown }
  /** By field id. */
  | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> };
