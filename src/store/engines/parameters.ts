/** The only place where a value becomes a parameter of a statement, on both engines. */
import type { DatabaseConnection, Dialect, Driver } from 'kysely';

/**
 * The types of a parameter. Booleans are only for PostgreSQL's own catalogue; no table has one, and SQLite refuses
 * them.
 */
export type SqlParameter = string | number | bigint | boolean | null;

/**
 * Text in a form that both engines store: PostgreSQL refuses U+0000 and both turn a lone surrogate into U+FFFD, so
 * both replacements are made here.
 */
export function toStorableText(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

/**
 * A value as a parameter. Refuses `undefined` and objects, because `node:sqlite` takes a Date or any object for named
 * parameters and silently binds NULL. Refuses fractions, because one engine would reject them and the other store
 * them.
 */
export function toParameter(value: unknown): SqlParameter {
  if (value === null || typeof value === 'bigint' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return toStorableText(value);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  const what = typeof value === 'number' ? `the number ${value}` : Object.prototype.toString.call(value);
  throw new TypeError(`not a value for the database: ${what}`);
}

/** The dialect, with every parameter converted by {@link toParameter}. */
export function withParameters(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => convertDriver(dialect.createDriver()),
  };
}

function convertDriver(driver: Driver): Driver {
  const converted = new WeakSet<DatabaseConnection>();
  const acquire = driver.acquireConnection.bind(driver);
  driver.acquireConnection = async (options) => {
    const connection = await acquire(options);
    if (!converted.has(connection)) convertConnection(connection);
    converted.add(connection);
    return connection;
  };
  return driver;
}

function convertConnection(connection: DatabaseConnection): void {
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = async (query, options) =>
    execute({ ...query, parameters: query.parameters.map(toParameter) }, options);
}
