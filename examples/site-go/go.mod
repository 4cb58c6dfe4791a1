module exemplo/site-go

go 1.26
