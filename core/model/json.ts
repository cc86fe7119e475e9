/** What JSON can say. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
