/** Groups of the panel “The outside world”: their fields and buttons. Types only. */
import type { SandboxState } from '../types.ts';

export type ActionResult = { ok?: boolean; error?: string; events?: readonly unknown[]; running?: unknown };
export type FormInput = Record<string, string>;
type DependentField = { field: string; values: Readonly<Record<string, string | undefined>> };
export type PanelField = {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly placeholder?: string;
  readonly options?: readonly string[];
  readonly suggestions?: readonly string[];
  readonly finds?: 'devices';
  readonly number?: boolean;
  readonly follows?: DependentField;
};
export type PanelAction = {
  readonly id: string;
  readonly label: string;
  readonly style?: 'danger';
  readonly does: (entered: FormInput) => Promise<ActionResult>;
};
export type StatusLines = (world: SandboxState, now: number) => readonly string[];
export type PanelGroup = {
  readonly id: string;
  readonly title: string;
  readonly about?: string;
  readonly now?: StatusLines;
  readonly fields: readonly PanelField[];
  readonly actions: readonly PanelAction[];
};
