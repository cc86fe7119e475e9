/** A key and a certificate for `good.test`, signed by itself, valid from 2020 to 2120; made for these tests and trusted nowhere else. */

const keyLines =
	"MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQh15O5DLMvd7lLsdALUcS9ZL3UBBkhscg0GNjFxQ20ChRANCAAQ1oy6jFBMCyLu+zS9XYd7Rv0S3L5VzxwLFhWxMawSBq0c4PF/7T3+c6blmVoXDAnmO9aY/2hMDVdls6IJvUDJ4";
const certificateLines =
	"MIIBYTCCAQegAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlnb29kLnRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMMCWdvb2QudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDWjLqMUEwLIu77NL1dh3tG/RLcvlXPHAsWFbExrBIGrRzg8X/tPf5zpuWZWhcMCeY71pj/aEwNV2Wzogm9QMnijSDBGMBQGA1UdEQQNMAuCCWdvb2QudGVzdDAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBRq3Tsl1j1WLOvSTMsmPBZ6ySp3IzAKBggqhkjOPQQDAgNIADBFAiEArmPgJ2z+97FiWspvqO3HDu5ii3M6ImJ8+LM/YrMM500CIHH1nP8ypCxbjIb4E/AN4HJ1Ga2YDf9nuOpnrwrhz0Ol";

export const testKey = pem("PRIVATE KEY", keyLines);
export const testCertificate = pem("CERTIFICATE", certificateLines);

function pem(kind: string, base64: string): string {
	return `-----BEGIN ${kind}-----\n${base64.replace(/(.{64})/g, "$1\n")}\n-----END ${kind}-----\n`;
}
