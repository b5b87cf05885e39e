/** A person's open views: only the topmost is visible, those below keep their input. */

import type { Actions } from './actions.ts';
import { renderBlocks } from './blocks.ts';
import { formValues } from './elements/fields.ts';
import { ICONS, iconButton } from './kit.ts';
import { html, useLayoutEffect, useRef, useState } from './preact.ts';
import { plainNode } from './text/mrkdwn.ts';
import type { RenderContext, SlackView } from './types.ts';

/** `views`: the lowest first. */
export function Modals({ views, actions }: { views: readonly SlackView[]; actions: Actions }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const giveBackFocus = useRef<(() => void) | null>(null);
  const top = views.at(-1);
  useLayoutEffect(() => {
    const { current } = dialog;
    if (!current) return;
    if (!top) {
      current.close();
      giveBackFocus.current?.();
      giveBackFocus.current = null;
      return;
    }
    if (!current.open) {
      giveBackFocus.current = rememberFocus();
      current.showModal();
    }
    focusFirst(current);
  }, [top?.id]);
  const onCancel = (event: Event) => {
    if (event.target !== event.currentTarget) return;
    // Assumption (surfaces/modals): Escape goes one view back, like the view's own button.
    event.preventDefault();
    if (top) void actions.close(top, false);
  };
  return html`
    <dialog
      class="dialog modal"
      data-modal=""
      ref=${dialog}
      data-view-id=${top?.id}
      aria-labelledby=${top && titleId(top)}
      onCancel=${onCancel}
    >
      ${views.map(
        (view) => html`<${View} key=${view.id} view=${view} actions=${actions} isHidden=${view !== top} />`,
      )}
    </dialog>`;
}

/** Focuses the first field of a view that just came to the top. */
function focusFirst(dialog: HTMLDialogElement) {
  const visibleForm = 'form:not([hidden])';
  const field =
    dialog.querySelector(`${visibleForm} [data-focus-first] input`) ??
    dialog.querySelector(`${visibleForm} :is(input, textarea)[data-element]`) ??
    dialog.querySelector(`${visibleForm} [data-element] :is(input, button), ${visibleForm} [data-element]`);
  // A window is read from its top, also where its first field is far below.
  if (field instanceof HTMLElement) field.focus({ preventScroll: true });
}

/** Returns the focus to where it was when the dialog opened. */
function rememberFocus() {
  const before = document.activeElement;
  return () => {
    // The browser has already returned it to a node that still exists.
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    const target = before?.isConnected ? before : document.querySelector('[data-composer]');
    if (target instanceof HTMLElement) target.focus();
  };
}

const titleId = (view: SlackView) => `title-${view.id}`;

/** Errors by block id, and what is wrong with the form as a whole. */
type Problems = { readonly errors: Readonly<Record<string, string>>; readonly form: readonly string[] };
const NO_PROBLEMS: Problems = { errors: {}, form: [] };

type ViewProps = { readonly view: SlackView; readonly actions: Actions; readonly isHidden: boolean };

function View({ view, actions, isHidden }: ViewProps) {
  const form = useRef<HTMLFormElement>(null);
  const [surface] = useState(() => actions.viewSurface(view));
  const [isWaiting, setWaiting] = useState(false);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const { title, submit, close, blocks = [], previous_view_id } = view;
  useLayoutEffect(() => {
    const first = form.current?.querySelector('[aria-invalid]:is(input, textarea), [aria-invalid] input');
    if (first instanceof HTMLElement) first.focus();
  }, [problems]);
  const shut = () => void actions.close(view, false);
  const shutAll = () => void actions.close(view, true);
  const send = async () => {
    const errors = formErrors(view, surface);
    if (Object.keys(errors).length > 0) return setProblems({ errors, form: [] });
    setProblems(NO_PROBLEMS);
    // The form cannot be submitted again until the app has answered.
    setWaiting(true);
    const answer = await actions.submit(view, formValues(surface));
    setWaiting(false);
    if (answer.errors) setProblems(problemsOf(answer.errors, blocks));
    else if (!answer.ok) setProblems({ errors: {}, form: [answer.error ?? 'unknown_error'] });
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    if (submit && !isWaiting) void send();
  };
  const sendButton = html`
    <button type="submit" class="button primary" data-submit="" disabled=${isWaiting} aria-busy=${isWaiting}>
      <span class="button-words">${plainNode(submit)}</span>
    </button>`;
  const failures = problems.form.map(
    (words) => html`<p class="form-error" role="alert">The form wasn’t accepted: ${words}</p>`,
  );
  return html`
    <form ref=${form} class="view" novalidate data-view=${view.id} hidden=${isHidden} onSubmit=${onSubmit}>
      <header class="view-head">
        ${typeof previous_view_id === 'string' && iconButton('icon-button', 'Back', ICONS.left, { onClick: shut })}
        <h2 id=${titleId(view)}>${plainNode(title)}</h2>
        ${iconButton('icon-button', 'Close', ICONS.close, { onClick: shutAll })}
      </header>
      <div class="view-blocks">${renderBlocks({ blocks, surface, errors: problems.errors })}</div>
      ${failures}
      <footer class="view-foot">
        <button type="button" class="button" data-close="" onClick=${shut}>
          ${close ? plainNode(close) : 'Cancel'}
        </button>
        ${submit && sendButton}
      </footer>
    </form>`;
}

/** Slack's client checks required fields and valid values before the app gets the form. */
function formErrors({ blocks = [] }: SlackView, { fields }: RenderContext): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { blockId, value, fault } of fields.values()) {
    const block = blocks.find((each) => each.block_id === blockId);
    const isMissing = block?.optional !== true && isEmptyValue(value());
    const words = isMissing ? 'Please complete this required field.' : fault();
    if (words !== null) errors[blockId] = words;
  }
  return errors;
}

const isEmptyValue = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

/** An error of a block that the form does not have is one of the form. */
function problemsOf(errors: Readonly<Record<string, string>>, blocks: SlackView['blocks']): Problems {
  const isKnown = (id: string) => blocks?.some(({ block_id }) => block_id === id) ?? false;
  const others = Object.entries(errors).filter(([id]) => !isKnown(id));
  return { errors, form: others.map(([id, words]) => `${id}: ${words}`) };
}
