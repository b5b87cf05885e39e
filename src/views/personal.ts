/** An answer for somebody who may not see what is personal. What it was read from does not hold that either. */
import type { View } from './model.ts';

/** All the rest of the view; what is left out is not said to be unknown. */
export function withoutPersonal(view: View): View {
  switch (view.kind) {
    case 'device':
    case 'device-page':
    case 'explain-plan':
      return { ...view, shared: true };
    case 'picker':
      return { ...view, rows: view.rows.map(({ addresses: _, serialNumber: __, ...row }) => row) };
    default:
      return view;
  }
}
