/** What the submission of a form is acknowledged with. */
import type { Modal } from '../../views/kit/answer-window.ts';

/** Errors on fields, which keep the form open, or the window that replaces it; neither closes it. */
export type FormAckResponse =
  | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> }
  | { readonly kind: 'window'; readonly window: Modal };
export type AcknowledgeForm = (answer?: FormAckResponse) => Promise<void>;
