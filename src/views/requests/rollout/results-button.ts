/** Opens the devices of a rollout in pages, from where they are also a file. */
import type { RequestId } from '../../../lib/ids.ts';
import type { Button } from '../../kit/blocks.ts';
import { runButton } from '../../kit/command-buttons.ts';

export function resultsButton({ id }: { readonly id: RequestId }, label = 'Results'): Button | null {
  return runButton({ action: 'results', label, command: 'operations', input: { of: id, group: null } });
}
