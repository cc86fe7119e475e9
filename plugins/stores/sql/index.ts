/** The public door of the SQL store, `cairn-memory/sql`: a storage for an engine that speaks the dialect of SQLite. No plugin itself. */

export { sweepDiscarded } from "./documents/discarded.ts";
export * from "./executor.ts";
export * from "./migrations.ts";
export * from "./operations.ts";
export * from "./storage.ts";
export { sweepRows } from "./upkeep.ts";
