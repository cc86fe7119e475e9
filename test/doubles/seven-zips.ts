/** Small 7z archives, made by 7-Zip 26.02 from two texts of our own: `notes/tide.txt` and `crew.csv`. */

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));

export const sevenZips = {
	/** Both files compressed as one, with LZMA2; the header too. */
	solid: bytesOf(
		"N3q8ryccAAR9NFlafAAAAAAAAAAgAAAAAAAAAFa+Ut0BAB9uYW1lLHllYXJzClNpcmksN1RoZSB0aWRlIHR1cm5zLgAAAIEzB64P0Es5PJ8/R0EFh4ajPzNXu2hY80SHTbU+/2j6mxVt3wAn88l4c+Y0sHsMCZ5R+Rfdh9WZ20x3hpHpNqkiKS5HdUe5k6m+OflLECzr2eAE5JQAFwYkAQlYAAcLAQABIwMBAQVdABAAAAxiCgGO5aZEAAA=",
	),
	/** The same with a folder and a symbolic link to `crew.csv`. */
	withLinks: bytesOf(
		"N3q8ryccAAQ7My62tQAAAAAAAAAiAAAAAAAAALyJFrMBACpuYW1lLHllYXJzClNpcmksNy4uL2NyZXcuY3N2VGhlIHRpZGUgdHVybnMuAAAAgTMHrg/Q8bH8nz9HQQQPcQz+BlTiPdfwNVmuVxUZxsXL4LmqEjl1x34UJCVX1seBp988rDAVxmQw9wTrh4OixzVnvy3pk3IHOy9rlYxDQXiv0u7rMghF6J6tVQ73OALyJIEGzx+/pzHK871f5n7pNcAZ94ijSqo+fnBuWj1K4S20JuYAFwYvAQmAhgAHCwEAASMDAQEFXQAQAAAMgLoKAYEbcB8AAA==",
	),
	/** `crew.csv` with a password; its name can be read. */
	locked: bytesOf(
		"N3q8ryccAAQ5IBp6IAAAAAAAAABeAAAAAAAAAHJXz3j0lKsoHnFeI7lehTXG2+vbJSnfg2WUJYGbGL9nzgA+agEEBgABCSAABwsBAAIkBvEHARJTD79MRVFOQkmOBI9ay1wezCYhIQEAAQAMFREACAoB1ZO2FAAABQEZAQAREwBjAHIAZQB3AC4AYwBzAHYAAAAZABUGAQAggKSBAAA=",
	),
	/** The same, with an encrypted header. */
	lockedNames: bytesOf(
		"N3q8ryccAATmfVoegAAAAAAAAAAuAAAAAAAAAMCb/WqmFu3+atDiNs35UeuEjaTRzHbBHvSq2/Zl3KlcLxeyKQI9BtTP0BB4PjByIRuHX2qEp/ykEmVjcXTd80ecRxaosfsXdA2vEbj/1JiiPoxFxDfObzXvDUpWs0ewzMbzZ6o9WGdn7hEtZYA6FRMRUyFEyU6JclpuFS0RCvOpBcVY3hcGIAEJYAAHCwEAASQG8QcBElMPlb9JpEIM2JG2eV4/s6HpmwxeCgHd5k37AAA=",
	),
} as const;
