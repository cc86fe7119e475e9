/** An engine whose module breaks while it is imported. */

throw new Error("no such library");
