/** What people do in the workspace, as the control interface takes it from the page and from programs. */

export type ControlAnswer = { readonly ok: true } | { readonly ok: false; readonly error: string };
export type CommandInput = {
  readonly user: string;
  readonly channel: string;
  readonly command: string;
  readonly text: string;
};
export type CommandAnswer =
  | { readonly ok: true; readonly trigger_id: string }
  | { readonly ok: false; readonly error: string };
export type MessageInput = {
  readonly user: string;
  readonly channel: string;
  readonly text: string;
  readonly thread_ts?: string;
};
export type ClickInput = {
  readonly user: string;
  readonly channel: string;
  readonly ts: string;
  readonly action_id: string;
  readonly block_id?: string;
  readonly value?: unknown;
  readonly confirm?: boolean;
  /** The modal or Home of the element, instead of a message. */
  readonly view_id?: string;
};
export type CloseInput = {
  readonly user: string;
  readonly view_id: string;
  /** By the cross: with the views below it. */
  readonly all?: boolean;
};
export type SubmitInput = {
  readonly user: string;
  readonly view_id: string;
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};
export type SuggestInput = {
  readonly user: string;
  readonly channel?: string;
  readonly ts?: string;
  readonly view_id?: string;
  readonly action_id: string;
  readonly block_id: string;
  readonly value: string;
};
/** `offers_invite`: it mentions the app in a channel where it is no member. */
export type SentMessageAnswer = ControlAnswer & { readonly ts?: string; readonly offers_invite?: true };
export type JoinInput = { readonly user: string; readonly channel: string };
export type ShortcutInput = {
  readonly user: string;
  readonly callback_id: string;
  readonly channel?: string;
  readonly ts?: string;
};
export type HomeInput = { readonly user: string; readonly tab?: 'home' | 'messages' };
export type ReactInput = {
  readonly user: string;
  readonly channel: string;
  readonly ts: string;
  /** Such as `eyes`, with or without colons. */
  readonly name: string;
  readonly remove?: boolean;
};
/**
 * `duplicate`, `reorder`: the next `times` events (default 1) arrive twice, or after the event that follows them.
 * `disconnect` (a warning, then the end ten seconds later), `refresh`, `half-open`, `kill-socket`: affect the oldest
 * `times` Socket Mode connections (default all). `verify`: sends the challenge for a signed HTTP address.
 */
export type DeliveryFaultInput = {
  readonly do: 'duplicate' | 'reorder' | 'disconnect' | 'refresh' | 'half-open' | 'kill-socket' | 'verify';
  readonly times?: number;
};
/** `connections`: how many were affected. */
export type DeliveryFaultAnswer = ControlAnswer & { readonly connections?: number };
