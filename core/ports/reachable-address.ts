/** Refuses an address that the server must not connect to: a private or local one, also if a host name leads to it. */

/** Resolves also if that is not known, since the guarded fetch checks every connection. @throws ServiceError `ADDRESS_BLOCKED` */
export type DemandReachable = (address: string) => Promise<void>;
