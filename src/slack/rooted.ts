/** The commands speak of themselves by the default root; here it becomes the one of the settings. */
import { ROOT } from '../commands/root.ts';
import type { Line, Paging, Problem, View } from '../views/model.ts';
import type { Offer } from '../views/models/offer-model.ts';
import type { Dispatch } from './dispatch.ts';

/** The same dispatch, whose answers name `root`. */
export function withRoot(dispatch: Dispatch, root: string): Dispatch {
  return {
    text: async (...asked) => rooted(await dispatch.text(...asked), root),
    command: async (order) => rooted(await dispatch.command(order), root),
    again: async (order) => rooted(await dispatch.again(order), root),
    decide: dispatch.decide,
  };
}

function rooted(view: View, root: string): View {
  switch (view.kind) {
    case 'expanded':
    case 'shareable':
      return { ...view, view: rooted(view.view, root) };
    case 'requested-again':
      return {
        ...view,
        view: view.view && rooted(view.view, root),
        leftOut: view.leftOut.map((one) => ({ ...one, problem: rootedProblem(one.problem, root) })),
      };
    case 'explain':
    case 'help':
    case 'names':
    case 'too-late':
      return { ...view, root };
    case 'problem':
      return { ...view, problem: rootedProblem(view.problem, root), root };
    case 'groups':
      return withLines({ ...view, root }, root);
    default:
      return withLines(view, root);
  }
}

function rootedProblem(problem: Problem, root: string): Problem {
  const named = 'root' in problem ? { ...problem, root } : problem;
  return 'offers' in named && named.offers !== undefined
    ? { ...named, offers: named.offers.map((offer) => rootedOffer(offer, root)) }
    : named;
}

/** The lines of some offers were written with the root of the settings before. */
function rootedOffer(offer: Offer, root: string): Offer {
  if (offer.kind !== 'line' || !offer.line.startsWith(`${ROOT} `)) return offer;
  return { ...offer, line: `${root}${offer.line.slice(ROOT.length)}` };
}

/** What is typed for the same list again. */
function withLines(view: View, root: string): View {
  return 'paging' in view && view.paging.line !== undefined
    ? withLine(view, { ...view.paging.line, root })
    : view;
}

function withLine<T extends { readonly paging: Paging }>(view: T, line: Line): T {
  return { ...view, paging: { ...view.paging, line } };
}
