/** Views name commands by the default prefix; this replaces it with the configured one. */
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { Paging, Problem, TypedLine, View } from '../../views/model.ts';
import type { Offer } from '../../views/models/offer-model.ts';
import type { Dispatch } from './dispatch-port.ts';

/** The same dispatch, whose answers use the prefix `root`. */
export function withCommandPrefix(dispatch: Dispatch, root: string): Dispatch {
  return {
    ...dispatch,
    runText: async (...request) => prefixView(await dispatch.runText(...request), root),
    runCommand: async (order) => prefixView(await dispatch.runCommand(order), root),
    requestAgain: async (order) => prefixView(await dispatch.requestAgain(order), root),
  };
}

/** Replaces it in the view, in the view that it contains, and in its problems. */
function prefixView(view: View, root: string): View {
  if (view.kind === 'problem') return { ...view, problem: prefixProblem(view.problem, root), root };
  if (view.kind === 'requested-again') {
    return {
      ...view,
      view: view.view && prefixView(view.view, root),
      unrequested: view.unrequested.map((one) => ({ ...one, problem: prefixProblem(one.problem, root) })),
    };
  }
  if ('view' in view) return { ...view, view: prefixView(view.view, root) };
  return prefixPagingLine('root' in view ? { ...view, root } : view, root);
}

function prefixProblem(problem: Problem, root: string): Problem {
  const named = 'root' in problem ? { ...problem, root } : problem;
  return 'offers' in named && named.offers !== undefined
    ? { ...named, offers: named.offers.map((offer) => prefixOffer(offer, root)) }
    : named;
}

function prefixOffer(offer: Offer, root: string): Offer {
  return offer.kind !== 'line'
    ? offer
    : { ...offer, line: `${root}${offer.line.slice(ROOT_COMMAND.length)}` };
}

/** The line that shows the same list again. */
function prefixPagingLine(view: View, root: string): View {
  return 'paging' in view && view.paging.line !== undefined
    ? withPagingLine(view, { ...view.paging.line, root })
    : view;
}

function withPagingLine<T extends { readonly paging: Paging }>(view: T, line: TypedLine): T {
  return { ...view, paging: { ...view.paging, line } };
}
