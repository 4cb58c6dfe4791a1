/** Makes the table of people who are operators, and keeps of each session when its person was confirmed. */

export const operatorPeople = [
  `create table operator_person (
    person_id text primary key references person (id), role text not null, created_at bigint not null)`,
  `alter table session add column confirmed_at bigint`,
];
