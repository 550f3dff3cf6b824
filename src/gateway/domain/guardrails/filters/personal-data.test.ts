import { describe, expect, it } from "vitest";
import { type PersonalData, personalData } from "./personal-data.ts";

const found = (slug: PersonalData, text: string) =>
  [...personalData[slug](text)].map(({ from, to }) => text.slice(from, to));

const hits: Readonly<Record<PersonalData, readonly (readonly [text: string, ...found: string[]])[]>> = {
  email: [
    ["write to jane.doe+news@mail.example.co.uk, or not", "jane.doe+news@mail.example.co.uk"],
    ["<a@b.io>;'o'hara@x.org'", "a@b.io", "o'hara@x.org"],
    ["jörg@müller.de und x@xn--mller-kva.de.", "jörg@müller.de", "x@xn--mller-kva.de"],
    ["name=jane@example.com&x", "jane@example.com"],
  ],
  phone: [
    ["call +49 30 1234567 now", "+49 30 1234567"],
    ["+1 (415) 555-2671", "+1 (415) 555-2671"],
    ["+442079460958", "+442079460958"],
    ["(415) 555-2671 or 415-555-2671 or 415.555.2671", "(415) 555-2671", "415-555-2671", "415.555.2671"],
    ["1-800-555-0199.", "1-800-555-0199"],
  ],
  ssn: [["SSN 123-45-6789.", "123-45-6789"]],
  "credit-card": [
    ["4111111111111111", "4111111111111111"],
    ["card 4111 1111 1111 1111, exp 12/30", "4111 1111 1111 1111"],
    ["5500-0000-0000-0004", "5500-0000-0000-0004"],
    ["amex 3782 822463 10005", "3782 822463 10005"],
    ["3 4111 1111 1111 1111 12", "4111 1111 1111 1111"],
    ["4111111111111111.", "4111111111111111"],
  ],
  "ip-address": [
    ["from 192.168.1.20:8080 to 10.0.0.1.", "192.168.1.20", "10.0.0.1"],
    ["2001:db8::8a2e:370:7334 and fe80::1%eth0", "2001:db8::8a2e:370:7334", "fe80::1"],
    ["[2001:0db8:85a3:0000:0000:8a2e:0370:7334]", "2001:0db8:85a3:0000:0000:8a2e:0370:7334"],
    ["::1", "::1"],
  ],
};

const misses: Readonly<Record<PersonalData, readonly string[]>> = {
  email: ["@mention", "a @ b.com", "user@localhost", "x@1.2.3.4", "price @3.50", "@@@", "a@b", ".@example.com"],
  phone: [
    "2024-01-15",
    "1700000000",
    "123.456.789",
    "+1234567",
    "12345678901234567890",
    "+1000 -2000 3000 4000",
    "1-2-3",
  ],
  ssn: ["000-12-3456", "666-12-3456", "912-12-3456", "123-00-4567", "123-45-0000", "123-45-67890", "a123-45-6789"],
  "credit-card": [
    "4111111111111112",
    "1700000000000000",
    "411111111111",
    "41111111111111111111111",
    "0.4111111111111111",
    "id4111111111111111",
    "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
    "4111  1111  1111  1111x",
  ],
  "ip-address": [
    "256.1.1.1",
    "1.2.3",
    "1.2.3.4.5",
    "v1.2.3.4",
    "12:30:45",
    "aa:bb:cc:dd:ee:ff",
    "a[::2]",
    "std::b",
    "::",
  ],
};

describe.each(Object.keys(personalData) as PersonalData[])("%s", (slug) => {
  it.each(hits[slug])("finds in %j", (text, ...expected) => expect(found(slug, text)).toEqual(expected));

  it.each(misses[slug].map((text) => [text]))("finds nothing in %j", (text) => expect(found(slug, text)).toEqual([]));
});
