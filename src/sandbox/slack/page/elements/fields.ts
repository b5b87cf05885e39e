/** Shared by all elements: the values that they hold, and sending their actions to the bot. */
import { html, render, useLayoutEffect, useRef, useState } from '../preact.ts';
import { plainNode, renderText } from '../text/mrkdwn.ts';
import type { ConfirmDialog, Element, ElementSlot, Field, RenderContext, ViewerContext } from '../types.ts';

export type ElementProps = {
  readonly element: Element;
  readonly slot: ElementSlot;
  readonly surface: RenderContext;
};

/** Attributes by which tests and forms find the element. */
export const elementAttributes = ({ element, slot }: ElementProps) => ({
  'data-action-id': element.action_id ?? '',
  'data-block-id': slot.blockId,
  'data-element': element.type,
  'data-focus-first': element.focus_on_load === true ? '' : undefined,
  'aria-labelledby': slot.labelledBy,
  'aria-describedby': slot.describedBy,
  'aria-invalid': slot.isInvalid === true ? 'true' : undefined,
});

export const enteredIn = ({ currentTarget: field }: Event) =>
  field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value : '';

/**
 * What an element holds: the initial value, or what a person entered, which stays when the message or view is drawn
 * again, as in Slack, while block and action ids stay the same. `toValue`: as the workspace takes it.
 */
export function useField<Held>(
  { element, slot, surface }: ElementProps,
  initial: Held,
  toValue: (held: Held) => unknown,
  faultOf: (held: Held) => string | null = () => null,
) {
  const [, draw] = useState(0);
  const [own] = useState(() => ({ held: initial, isTouched: false, toValue, faultOf }));
  Object.assign(own, { toValue, faultOf }, own.isTouched ? {} : { held: initial });
  const key = `${slot.blockId} ${element.action_id}`;
  useLayoutEffect(() => {
    const field: Field = {
      blockId: slot.blockId,
      actionId: element.action_id ?? '',
      isSilent: !slot.dispatches,
      isTouched: () => own.isTouched,
      value: () => own.toValue(own.held),
      fault: () => own.faultOf(own.held),
      reported: '',
    };
    surface.fields.set(key, field);
    return () => {
      if (surface.fields.get(key) === field) surface.fields.delete(key);
    };
  }, [surface, key]);
  const enter = (held: Held) => {
    own.held = held;
    own.isTouched = true;
    draw((count) => count + 1);
  };
  return { held: own.held, enter, value: () => toValue(own.held) };
}

/** Values of a form's elements, as in `view.state.values`: by block id, then by action id. */
export function formValues({ fields }: RenderContext): Record<string, Record<string, unknown>> {
  const values: Record<string, Record<string, unknown>> = {};
  for (const { blockId, actionId, value } of fields.values())
    values[blockId] = { ...values[blockId], [actionId]: value() };
  return values;
}

/**
 * Sends what a person has changed since the last time in fields that do not act: Slack reports their values with the
 * next action.
 */
export async function reportValues({ fields, dispatchAction }: RenderContext) {
  for (const field of fields.values()) {
    const value = field.value();
    const words = JSON.stringify(value);
    if (!field.isSilent || !field.isTouched() || field.reported === words) continue;
    field.reported = words;
    await dispatchAction({ action_id: field.actionId, block_id: field.blockId, value });
  }
}

/**
 * Sends the element's action to the bot, after its confirm dialog. In an input block nothing is sent until the form is
 * submitted.
 */
export function useAction({ element, slot, surface }: ElementProps) {
  const [isBusy, setBusy] = useState(false);
  /** `next`: the newest value while the one before is still being sent. */
  const sending = useRef<{ isBusy: boolean; next?: { value: unknown } | undefined }>({ isBusy: false });
  const act = async (value?: unknown): Promise<void> => {
    const { current } = sending;
    if (!slot.dispatches) return;
    if (current.isBusy) {
      // A second click is dropped; a second value replaces the first.
      if (value !== undefined) current.next = { value };
      return;
    }
    if (element.confirm && !(await confirmAction(element.confirm, surface))) return;
    current.isBusy = true;
    setBusy(true);
    slot.fail(null);
    await reportValues(surface);
    const answer = await surface.dispatchAction({
      action_id: element.action_id ?? '',
      block_id: slot.blockId,
      ...(value === undefined ? {} : { value }),
      ...(element.confirm ? { confirm: true } : {}),
    });
    current.isBusy = false;
    setBusy(false);
    const { ok, error = 'unknown_error' } = answer;
    if (error === 'unknown_element')
      surface.fail?.('This message changed before you answered, so nothing was sent.');
    else if (!ok) slot.fail(`This didn’t work: ${error}`);
    const { next } = current;
    current.next = undefined;
    if (next) await act(next.value);
  };
  return { act: (value?: unknown) => void act(value), isBusy: isBusy ? 'true' : undefined };
}

/** A confirm dialog: Escape means no. A click outside does nothing, or a double click would answer it. */
export function confirmAction(confirm: ConfirmDialog, reader: ViewerContext): Promise<boolean> {
  const place = document.createElement('div');
  document.body.append(place);
  const look = confirm.style === 'danger' ? 'danger' : 'primary';
  return new Promise((resolve) => {
    const close = ({ currentTarget }: Event) => {
      place.remove();
      resolve(currentTarget instanceof HTMLDialogElement && currentTarget.returnValue === 'yes');
    };
    render(
      html`
        <dialog class="dialog confirm" aria-labelledby="confirm-title" onClose=${close}>
          <form method="dialog">
            <h2 id="confirm-title">${plainNode(confirm.title)}</h2>
            <div class="confirm-text">${renderText(confirm.text, reader)}</div>
            <div class="dialog-buttons">
              <button class="button" value="no" data-confirm="no">${plainNode(confirm.deny)}</button>
              <button class="button ${look}" value="yes" data-confirm="yes">${plainNode(confirm.confirm)}</button>
            </div>
          </form>
        </dialog>`,
      place,
    );
    place.querySelector('dialog')?.showModal();
  });
}
