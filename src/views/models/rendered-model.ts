/** What views become: messages of blocks, and what their buttons carry. */
import type { ApprovalId, DeviceId, OperationId } from '../../lib/ids.ts';

/** A message ready for Slack: `text` is always set (notifications and screen readers). */
export type RenderedMessage = {
  readonly text: string;
  readonly blocks: readonly Block[];
  /** The same without charts and tables, where there are any: for windows, and for a Slack that refuses them. */
  readonly plain?: readonly Block[] | undefined;
};

/** A Block Kit block as JSON, made by the builders of `kit/` and by those of fields in `forms/`. */
export type Block = { readonly type: string; readonly block_id?: string } & Readonly<Record<string, unknown>>;

/** The value of a button, as JSON: zod checks it on its way back. */
export type ButtonValue =
  | { readonly do: 'decide'; readonly approval: ApprovalId; readonly seal: string }
  | { readonly do: 'run'; readonly command: string; readonly input: unknown; readonly page?: number }
  /** Asks for the order of an operation once more: it may be longer than a button can carry. */
  | { readonly do: 'again'; readonly operation: OperationId }
  /** Shows the device, or the page of it that is so called. */
  | { readonly do: 'device'; readonly device: DeviceId; readonly page?: string }
  /** Opens the form of a command. */
  | { readonly do: 'form'; readonly command: string; readonly input: unknown };
