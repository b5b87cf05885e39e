/** JSON fields by path: `detail.NICS[].MAC`. */

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of an answer: of a list, of the `results` of a page, or the only one. */
export function itemsIn(body: unknown): readonly Json[] {
  const list: readonly unknown[] = Array.isArray(body)
    ? body
    : isObject(body) && Array.isArray(body['results'])
      ? body['results']
      : [body];
  return list.filter(isObject);
}

/** Every object that should have the last name of `path`, and that name. Empty objects are skipped. */
export function parentsOf(
  thing: Json,
  path: string,
): { readonly holders: readonly Json[]; readonly last: string } {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holders = names.reduce<readonly Json[]>(
    (found, name) =>
      found.flatMap((one) => {
        const value = one[name.replace('[]', '')];
        return (Array.isArray(value) ? value : [value]).filter(isObject);
      }),
    [thing],
  );
  return { holders: holders.filter((one) => Object.keys(one).length > 0), last };
}

/** A copy of `body` whose objects lack the field. */
export function withoutField(body: unknown, path: string): unknown {
  const copy: unknown = structuredClone(body);
  for (const thing of itemsIn(copy)) {
    const { holders, last } = parentsOf(thing, path);
    for (const holder of holders) Reflect.deleteProperty(holder, last);
  }
  return copy;
}
