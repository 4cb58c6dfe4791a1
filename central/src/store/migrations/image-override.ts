/** An operator has a language version run on an image of theirs. */

export const imageOverride = [
  `create table image_override (
    language text not null, version text not null, reference text not null, updated_at bigint not null, primary key (language, version))`,
];
