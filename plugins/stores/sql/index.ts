/** The public door of the SQL store, `cairn-memory/sql`: a storage for an engine that speaks the dialect of SQLite. No plugin itself. */

export * from "./documents/discarded.ts";
export type * from "./executor.ts";
export * from "./migrate.ts";
export * from "./migrations.ts";
export * from "./operation.ts";
export * from "./operations.ts";
export * from "./storage.ts";
export * from "./stores.ts";
export * from "./upkeep/sweep-rows.ts";
