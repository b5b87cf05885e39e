/** Windows in Slack: how they are opened, changed and shown again. */
import type { KnownBlock, ModalView } from '@slack/types';
import type { Block } from '../../views/model.ts';
import type { SlackClients } from './clients.ts';
import { doneResult, requiredField, type SlackResult, slackResult } from './slack-errors.ts';

/** A window as the builders of `views` make it. */
export type Modal = Omit<ModalView, 'blocks'> & { readonly blocks: readonly Block[] };

/** A new window, one on top of the window with the trigger, or one in place of a window. */
export type ViewPlacement =
  | { readonly kind: 'open' | 'push'; readonly triggerId: string }
  | { readonly kind: 'replace'; readonly viewId: string };
/** A window as it was shown: any change gives it another hash. */
export type ShownView = { readonly id: string; readonly hash: string };

export type ViewCalls = {
  readonly updateView: (viewId: string, view: Modal) => Promise<SlackResult<null>>;
  /** Updates the window only if it still has this `hash`; returns its new hash. */
  readonly redrawView: (viewId: string, view: Modal, hash: string) => Promise<SlackResult<string>>;
  /** Shows a window there. */
  readonly showView: (where: ViewPlacement, view: Modal) => Promise<SlackResult<ShownView>>;
};

export function createViewCalls({ writes }: SlackClients): ViewCalls {
  return {
    updateView: (view_id, view) => doneResult(() => writes.views.update({ view_id, view: modalView(view) })),
    redrawView: (view_id, view, hash) =>
      slackResult(async () => {
        const answer = await writes.views.update({ view_id, hash, view: modalView(view) });
        return requiredField(answer.view?.hash, 'view.hash');
      }),
    showView: (where, modal) =>
      slackResult(async () => {
        const view = modalView(modal);
        const { view: shown } =
          where.kind === 'replace'
            ? await writes.views.update({ view_id: where.viewId, view })
            : await writes.views[where.kind]({ trigger_id: where.triggerId, view });
        return { id: requiredField(shown?.id, 'view.id'), hash: requiredField(shown?.hash, 'view.hash') };
      }),
  };
}

/** A window as Slack's API takes it. */
export function modalView({ blocks, ...view }: Modal): ModalView {
  return { ...view, blocks: blocks.map((block) => block as KnownBlock) };
}
