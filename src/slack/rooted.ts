/** The commands speak of themselves by the default root; here it becomes the one of the settings. */
import type { Line, Paging, View } from '../views/model.ts';
import type { Dispatch } from './dispatch.ts';

/** The same dispatch, whose answers name `root`. */
export function withRoot(dispatch: Dispatch, root: string): Dispatch {
  return {
    text: async (...asked) => rooted(await dispatch.text(...asked), root),
    command: async (order) => rooted(await dispatch.command(order), root),
    decide: dispatch.decide,
  };
}

function rooted(view: View, root: string): View {
  if (view.kind === 'expanded' || view.kind === 'shareable')
    return { ...view, view: rooted(view.view, root) };
  if (view.kind === 'help' || view.kind === 'names') return { ...view, root };
  if ('paging' in view && view.paging.line !== undefined) {
    return withLine(view, { ...view.paging.line, root });
  }
  if (view.kind !== 'problem' || !('root' in view.problem)) return view;
  return { ...view, problem: { ...view.problem, root } };
}

function withLine<T extends { readonly paging: Paging }>(view: T, line: Line): T {
  return { ...view, paging: { ...view.paging, line } };
}
